/// A codec by libavcodec's short name (`h264`, `aac`, `subrip`), as ffprobe prints it.
public struct Codec: Hashable, Sendable, Codable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The short name.
  public let name: String

  /// The codec of that short name.
  public init(_ name: String) { self.name = name }
  /// The codec of that short name.
  public init(stringLiteral value: String) { name = value }
  /// The short name.
  public var description: String { name }

  /// Writes the short name alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
  /// Reads the short name alone.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }
}
