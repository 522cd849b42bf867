import SiloSystem

/// What a file has against what was promised of it.
enum InventoryDifference {
  /// The faults of `found`; tracks are compared in order, by codec and language.
  static func faults(of found: MediaInventory, expecting: MediaInventory) -> [MediaFault] {
    var faults: [MediaFault] = []
    if expecting.kind == .file, let promised = expecting.container, promised != found.container {
      let real = found.container ?? "unknown"
      faults.append(MediaFault(.damaged, "It is \(real) where \(promised) was promised."))
    }
    if expecting.kind == .file, expecting.size.basis == .exact,
      let promised = expecting.size.byteCount, let real = found.size.byteCount, promised != real
    {
      faults.append(
        MediaFault(.byteCount, "The file has \(real) bytes where \(promised) were promised."))
    }
    if let promised = expecting.duration, let real = found.duration {
      let tolerance = max(1.5, promised.seconds * 0.02)
      if abs(promised.seconds - real.seconds) > tolerance {
        faults.append(
          MediaFault(.duration, "It plays \(real) where \(promised) were promised."))
      }
    }
    let pairs: [(name: String, found: [String], promised: [String])] = [
      ("video", found.video.map(\.codec.name), expecting.video.map(\.codec.name)),
      ("audio", found.audio.map(text), expecting.audio.map(text)),
      (
        "subtitle", found.subtitles.map { $0.language?.description ?? "undetermined" },
        expecting.subtitles.map { $0.language?.description ?? "undetermined" }
      ),
    ]
    for (name, found, promised) in pairs where found != promised {
      faults.append(
        MediaFault(
          .track,
          "The \(name) tracks are \(list(found)) where \(list(promised)) were promised."))
    }
    return faults
  }

  private static func text(_ track: AudioTrack) -> String {
    "\(track.language?.description ?? "undetermined") \(track.codec)"
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
