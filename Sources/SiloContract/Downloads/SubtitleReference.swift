/// Which subtitle file of a download: the last part of its address.
package enum SubtitleReference: Hashable, Sendable, CustomStringConvertible {
  /// A file beside the media, by its place in the manifest.
  case external(Int)
  /// One that the server fetched, by its id.
  case downloaded(Int)

  /// Reads `external:0`, `downloaded:12`; `nil` for everything else.
  package init?(_ text: String) {
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[1].isEmpty,
      halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(halves[1])
    else { return nil }
    switch halves[0] {
    case "external": self = .external(number)
    case "downloaded": self = .downloaded(number)
    default: return nil
    }
  }

  /// As it stands in an address.
  package var description: String {
    switch self {
    case .external(let number): "external:\(number)"
    case .downloaded(let number): "downloaded:\(number)"
    }
  }
}
