import SiloContract
import SiloMedia

/// Which version of an item is fetched (pure): the one that has most of the wanted languages, then the best picture.
///
/// The audio of every version is judged by the same order as that of a file, so that what is chosen here is what is stored.
enum VersionChoice {
  /// The version for `wishes`; `nil` when there is none.
  ///
  /// A language that was asked for earlier counts more than all later ones. Among equals the one with more lines wins, then
  /// more bits, then the smaller number of its file: the server's order never matters.
  static func choose(_ versions: [MediaVersion], _ wishes: TrackWishes) -> MediaVersion? {
    versions.min { rank($0, wishes).lexicographicallyPrecedes(rank($1, wishes)) }
  }

  private static func rank(_ version: MediaVersion, _ wishes: TrackWishes) -> [Int64] {
    var lenient = wishes
    (lenient.requiresAudio, lenient.audioTracks) = (false, nil)
    // Each wish alone: what is missing is told as a text, and two wishes may have one.
    let missing = wishes.audio.map { wish -> Int64 in
      lenient.audio = [wish]
      let selection = try? inventory(of: version).select(lenient)
      return selection?.missing.isEmpty == true && selection?.isFallback == false ? 0 : 1
    }
    return missing + [-lines(of: version.resolution), -bits(of: version), version.fileID.number]
  }

  /// What the server says of a version's audio, as an inventory.
  ///
  /// - Note: The server's order is that of the streams in the file; its languages may be of any spelling.
  static func inventory(of version: MediaVersion) -> MediaInventory {
    let tracks = (version.audioTracks ?? []).enumerated().map { index, track in
      let stored = StoredLanguage(track.language)
      let title = track.embeddedTitle ?? track.title
      let role: TrackRole =
        stored.isDescriptionToken
        ? .description : title.flatMap(TitleInference.role(inTitle:)) ?? .main
      return AudioTrack(
        id: TrackID(.audio, index), place: .stream(index),
        language: stored.language ?? title.flatMap(TitleInference.language(inTitle:)),
        storedLanguage: track.language, title: title, codec: Codec(track.codec ?? ""),
        channels: track.channels, isDefault: track.isDefault ?? false, role: role,
        isOriginal: stored.isOriginalToken)
    }
    return MediaInventory(kind: .file, container: version.container, audio: tracks)
  }

  /// The lines of `1080p`, `4k`, `2160p`; 0 when it says nothing.
  static func lines(of resolution: String?) -> Int64 {
    let text = resolution?.lowercased() ?? ""
    let names: [String: Int64] = [
      "8k": 4320, "4k": 2160, "uhd": 2160, "fhd": 1080, "hd": 720, "sd": 480,
    ]
    return names[text] ?? Int64(text.prefix { $0.isASCII && $0.isNumber }) ?? 0
  }

  private static func bits(of version: MediaVersion) -> Int64 {
    version.kilobitsPerSecond.map(Int64.init) ?? version.fileSize.map { $0 >> 10 } ?? 0
  }
}
