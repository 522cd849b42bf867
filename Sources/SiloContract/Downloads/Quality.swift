/// What a client asks for: the source's quality, or a single file below a bit rate.
package struct Quality: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The source as it is.
  package static let original = Quality(rawValue: "original")

  /// Every preset that is known, best first.
  package static let ladder = ["original", "20mbps", "10mbps", "5mbps", "2mbps", "1mbps"].map {
    Quality(rawValue: $0)
  }

  /// The highest bit rate of a preset below `original`, in kbit/s; `nil` for `original` and for unknown ones.
  package var kilobitsPerSecond: Int? {
    guard Self.ladder.contains(self), rawValue.hasSuffix("mbps") else { return nil }
    return Int(rawValue.dropLast(4)).map { $0 * 1000 }
  }
}

/// How the bytes of a download were made.
package struct DeliveryFormat: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The source file itself.
  package static let original = DeliveryFormat(rawValue: "original")
  /// The source's packets in another container, one audio track.
  package static let remux = DeliveryFormat(rawValue: "remux")
  /// Encoded anew, one audio track.
  package static let transcode = DeliveryFormat(rawValue: "transcode")
}
