/// The name of a track inside one inventory: `v0`, `a1`, `s2`.
public struct TrackID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// What a track carries.
  public enum Kind: Character, Sendable, CaseIterable {
    /// Pictures.
    case video = "v"
    /// Sound.
    case audio = "a"
    /// Text or bitmaps.
    case subtitle = "s"
  }

  /// What the track carries.
  public let kind: Kind
  /// The position among the tracks of that kind, from 0, in the order of the source.
  public let ordinal: Int

  /// The track of `kind` at `ordinal`.
  public init(_ kind: Kind, _ ordinal: Int) {
    self.kind = kind
    self.ordinal = ordinal
  }

  /// Reads `v0`, `a1`, `s2`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard let first = text.first, let kind = Kind(rawValue: first),
      let ordinal = Int(text.dropFirst()), ordinal >= 0, !text.dropFirst().hasPrefix("+")
    else { return nil }
    self.init(kind, ordinal)
  }

  /// The name as printed: `a1`.
  public var description: String { "\(kind.rawValue)\(ordinal)" }

  /// Video before audio before subtitles, then by position.
  public static func < (a: TrackID, b: TrackID) -> Bool {
    let order = Kind.allCases
    let (ka, kb) = (order.firstIndex(of: a.kind) ?? 0, order.firstIndex(of: b.kind) ?? 0)
    return (ka, a.ordinal) < (kb, b.ordinal)
  }
}

extension TrackID: Codable {
  /// Reads the printed name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = TrackID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no track id")
    }
    self = id
  }

  /// Writes the printed name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Where the packets of a track are found.
public enum TrackPlace: Hashable, Sendable, Codable {
  /// The stream with this index in the one container file.
  case stream(Int)
  /// In the segments of the presentation's rendition with this index, the n-th stream of the track's kind.
  case rendition(Int, ordinal: Int)
}
