/// The number of a media file, one version of an item; newer servers send it as text.
package struct MediaFileID: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  package let number: Int64

  /// The file with the number.
  package init(_ number: Int64) { self.number = number }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.number = number
    } else if let number = Int64(try container.decode(String.self)) {
      self.number = number
    } else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  /// The number in decimal.
  package var description: String { String(number) }
}
