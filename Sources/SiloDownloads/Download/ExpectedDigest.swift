/// A digest that a plain file must have.
public struct ExpectedDigest: Sendable, Hashable {
  /// How it is computed.
  public enum Algorithm: String, Sendable, CaseIterable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-1.
    case sha1 = "sha-1"
    /// MD5.
    case md5
    /// OpenSubtitles' hash: size plus the sums of the first and last 64 KiB.
    case oshash
  }
  /// How it is computed.
  public var algorithm: Algorithm
  /// The digest in lower-case hexadecimal.
  public var hexadecimal: String

  /// A digest.
  public init(_ algorithm: Algorithm, hexadecimal: String) {
    self.algorithm = algorithm
    self.hexadecimal = hexadecimal.lowercased()
  }
}
