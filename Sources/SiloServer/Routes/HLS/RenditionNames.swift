import SiloMedia

import struct Foundation.Locale

/// What the renditions of a presentation are called: NAME must differ within a group.
enum RenditionNames {
  /// The names of `tracks` in their order: the title, else the language's name, else the kind; then made unique.
  static func names(of tracks: [HLSTrack]) -> [String] {
    var used: Set<String> = []
    return tracks.map { track in
      let base = name(of: track)
      var name = base
      var number = 2
      while !used.insert(name).inserted {
        name = "\(base) \(number)"
        number += 1
      }
      return name
    }
  }

  private static func name(of track: HLSTrack) -> String {
    let title = track.title.map(cleaned) ?? ""
    var name = title.isEmpty ? language(of: track) : title
    // Only NAME can tell a commentary in HLS, so it has to.
    if track.role == .commentary, !name.lowercased().contains("commentary") {
      name += " (Commentary)"
    } else if track.role == .description, title.isEmpty {
      name += " (Audio Description)"
    } else if track.isForced, title.isEmpty {
      name += " (Forced)"
    }
    return name
  }

  private static func language(of track: HLSTrack) -> String {
    guard let tag = track.language?.description else {
      return track.id.kind == .audio ? "Audio" : "Subtitles"
    }
    return Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
  }

  /// A title that can stand between the quotes of an attribute.
  private static func cleaned(_ title: String) -> String {
    let text = title.unicodeScalars.map { scalar in
      scalar == "\"" ? "'" : scalar.properties.generalCategory == .control ? " " : scalar
    }
    return String(String.UnicodeScalarView(text)).split(separator: " ").joined(separator: " ")
  }
}
