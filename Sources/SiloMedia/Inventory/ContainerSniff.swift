/// What the first bytes of a source say that it is.
enum ContainerSniff: Hashable {
  /// ISO base media: MP4, MOV, fragments.
  case mp4
  /// Matroska or WebM.
  case matroska
  /// Something for libavformat to tell.
  case other
  /// No media, by its name.
  case notMedia(String)

  /// Looks at up to the first few kilobytes.
  init(_ head: ArraySlice<UInt8>) {
    if let header = MP4Box.Header(head, available: .max),
      ["ftyp", "moov", "moof", "mdat", "wide", "free", "skip", "styp", "pnot", "sidx"]
        .contains(header.type)
    {
      self = .mp4
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = .matroska
    } else if let name = Self.text(head) {
      self = .notMedia(name)
    } else {
      self = .other
    }
  }

  /// The kind of text or archive, or `nil` when it may be media.
  private static func text(_ head: ArraySlice<UInt8>) -> String? {
    if head.allSatisfy({ $0 == 0 }) { return "nothing but zeros" }
    for (magic, name) in [
      ("%PDF-", "a PDF document"), ("PK\u{3}\u{4}", "a ZIP archive"), ("Rar!", "a RAR archive"),
      ("7z\u{BC}\u{AF}", "a 7-Zip archive"), ("\u{7F}ELF", "a program"),
    ] where head.starts(with: magic.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) {
      return name
    }
    let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
    let sample = content.prefix(1024)
    guard !sample.contains(where: { $0 < 9 || (14...26).contains($0) }) else { return nil }
    let text = String(decoding: sample, as: UTF8.self).drop { $0.isWhitespace }
    let lower = text.prefix(256).lowercased()
    if lower.hasPrefix("webvtt") { return nil }
    if lower.hasPrefix("#extm3u") { return "an HLS playlist" }
    if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") || lower.contains("<head") {
      return "an HTML page"
    }
    if lower.hasPrefix("<?xml") || lower.hasPrefix("<") {
      return lower.contains("<mpd") ? "a DASH manifest" : "an XML text"
    }
    if lower.hasPrefix("{") || lower.hasPrefix("[{") || lower.hasPrefix("[\"") { return "JSON" }
    // Subtitles are text as well: libavformat tells them.
    if lower.contains("-->") || lower.hasPrefix("[script info]") { return nil }
    return sample.allSatisfy { $0 < 0x80 } ? "plain text" : nil
  }
}
