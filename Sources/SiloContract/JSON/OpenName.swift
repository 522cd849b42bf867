/// A word of the contract whose set may grow: what this program does not know is kept as it came.
package protocol OpenName: RawRepresentable<String>, Codable, Hashable, Sendable,
  CustomStringConvertible
{
  /// The word `rawValue`, known or not.
  init(rawValue: String)
}

extension OpenName {
  /// The word.
  package var description: String { rawValue }
}
