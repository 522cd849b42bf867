/// The forms of subtitle files that are kept, and whether bytes are of one (pure).
enum SubtitleForm: String, Hashable, Sendable, CaseIterable {
  case srt, vtt, ass, ssa, sup, ttml

  /// All suffixes.
  static let suffixes = allCases.map(\.rawValue)

  /// The form that a manifest names; `nil` for one that is not kept.
  init?(format: String?) {
    switch format?.lowercased() {
    case "srt", "subrip": self = .srt
    case "vtt", "webvtt": self = .vtt
    case "ass": self = .ass
    case "ssa": self = .ssa
    case "sup", "pgs", "hdmv_pgs_subtitle": self = .sup
    case "ttml", "dfxp": self = .ttml
    default: return nil
    }
  }

  /// Whether `bytes` are a file of this form, as far as its beginning tells: an error page is none.
  func accepts(_ bytes: [UInt8]) -> Bool {
    if self == .sup { return bytes.starts(with: Array("PG".utf8)) }
    // UTF-16 has a zero in every letter of these words.
    let text = bytes.prefix(1 << 18).filter { $0 != 0 }
    switch self {
    case .srt: return text.contains(Array("-->".utf8))
    case .vtt:
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      return text.drop(while: mark.contains).starts(with: Array("WEBVTT".utf8))
    case .ass, .ssa:
      return text.contains(Array("[Script Info]".utf8)) || text.contains(Array("Dialogue:".utf8))
    case .ttml: return text.contains(Array("<tt".utf8))
    case .sup: return false
    }
  }
}
