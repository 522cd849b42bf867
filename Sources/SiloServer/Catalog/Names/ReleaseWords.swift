/// The words that tell how a file was made, and never what it is about: `1080p`, `BluRay`, `x265-GROUP`.
enum ReleaseWords {
  /// Whether `word` is one of them.
  static func contains(_ word: some StringProtocol) -> Bool {
    let word = word.lowercased().trimming { "()[]{}.,+_-".contains($0) }
    if isHeight(word) || words.contains(word) { return true }
    // The name of a group is tied to the last word.
    guard let dash = word.lastIndex(of: "-"), dash != word.startIndex else { return false }
    return isHeight(word[..<dash]) || words.contains(String(word[..<dash]))
  }

  /// Whether every word of `text` is one of them, and there is one.
  static func isAll(_ text: some StringProtocol) -> Bool {
    let words = text.split(separator: " ")
    return !words.isEmpty && words.allSatisfy { contains($0) }
  }

  /// The lines of pictures that stand in names without a `p`, too.
  static let heights: Set<Int> = [240, 360, 480, 540, 576, 720, 1080, 1440, 2160, 4320]

  /// Whether a word of `text` says how many lines the pictures have.
  static func hasHeight(_ text: some StringProtocol) -> Bool {
    text.split { " ,._".contains($0) }.contains { isHeight($0.lowercased()) }
  }

  private static func isHeight(_ word: some StringProtocol) -> Bool {
    let bytes = Array(word.utf8)
    guard (4...5).contains(bytes.count), bytes.last == 0x70 || bytes.last == 0x69 else {
      return false
    }
    return bytes.dropLast().allSatisfy { (48...57).contains($0) }
  }

  private static let words: Set<String> = [
    "4k", "8k", "uhd", "fhd", "sd", "hdr", "hdr10", "hdr10+", "dolbyvision", "dovi", "sdr", "hlg",
    "10bit", "8bit", "bluray", "blu-ray", "bdrip", "brrip", "bdremux", "bdmv", "remux", "web-dl",
    "webdl", "webrip", "web-rip", "hdtv", "pdtv", "dvdrip", "dvd", "dvd5", "dvd9", "dvdscr",
    "hddvd", "hdrip", "vhsrip", "x264", "x265", "x.264", "x.265", "h264", "h265", "h.264", "h.265",
    "hevc", "avc", "av1", "vp9", "xvid", "divx", "mpeg2", "dts", "dts-hd", "dtshd", "truehd",
    "atmos", "aac", "aac2.0", "aac5.1", "ac3", "eac3", "dd5.1", "ddp", "ddp5.1", "dd+5.1", "flac",
    "opus", "2.0", "5.1", "7.1", "multi", "dubbed", "subbed", "proper", "repack", "imax", "hybrid",
  ]
}

extension String {
  /// The text without the characters at both ends that `isRemoved` is true of.
  func trimming(_ isRemoved: (Character) -> Bool) -> String {
    guard let first = firstIndex(where: { !isRemoved($0) }),
      let last = lastIndex(where: { !isRemoved($0) })
    else { return "" }
    return first == startIndex && index(after: last) == endIndex ? self : String(self[first...last])
  }
}
