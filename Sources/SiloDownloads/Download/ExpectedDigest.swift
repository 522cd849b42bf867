/// A digest that a plain file must have, and who says so.
public struct ExpectedDigest: Sendable, Hashable {
  /// How a digest is computed; the strongest first.
  public enum Algorithm: String, Sendable, CaseIterable, Comparable {
    /// SHA-512.
    case sha512 = "sha-512"
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-1: nobody's proof against a forger, but one against damage.
    case sha1 = "sha-1"
    /// MD5: as SHA-1.
    case md5
    /// OpenSubtitles' hash: size plus the sums of the first and last 64 KiB; what lies between is not looked at.
    case oshash

    /// The hexadecimal digits of a digest.
    public var digitCount: Int {
      switch self {
      case .sha512: 128
      case .sha256: 64
      case .sha1: 40
      case .md5: 32
      case .oshash: 16
      }
    }

    /// Weaker first.
    public static func < (a: Algorithm, b: Algorithm) -> Bool { a.digitCount < b.digitCount }
  }

  /// Who says that the file has this digest.
  public enum Origin: Sendable, Hashable, CustomStringConvertible {
    /// The user.
    case request
    /// The manifest of a server.
    case manifest
    /// A header field of the answer that the file came in.
    case header(String)
    /// The library, which stored the file.
    case library

    /// Who it is, as a message says it.
    public var description: String {
      switch self {
      case .request: "--checksum"
      case .manifest: "the manifest"
      case .header(let name): "the server's \(name)"
      case .library: "the library"
      }
    }
  }

  /// How it is computed.
  public var algorithm: Algorithm
  /// The digest in lower-case hexadecimal.
  public var hexadecimal: String
  /// Who says so.
  public var origin: Origin
  /// Whether another digest means that the file is damaged.
  ///
  /// False of what came beside a part of the file: servers differ about what such a header is of. Equality counts all the same.
  public var isBinding: Bool

  /// A digest.
  public init(
    _ algorithm: Algorithm, hexadecimal: String, origin: Origin = .request, isBinding: Bool = true
  ) {
    self.algorithm = algorithm
    self.hexadecimal = hexadecimal.lowercased()
    self.origin = origin
    self.isBinding = isBinding
  }

  /// Reads what a user writes, `sha-256=…`: the name with or without its hyphen, all digits; `nil` for anything else.
  public init?(text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map { $0.lowercased() }
    guard parts.count == 2 else { return nil }
    let algorithm = Algorithm.allCases.first {
      [$0.rawValue, $0.rawValue.filter { $0 != "-" }].contains(parts[0])
    }
    guard let algorithm, Self.isHexadecimal(parts[1]), parts[1].count == algorithm.digitCount
    else { return nil }
    self.init(algorithm, hexadecimal: parts[1])
  }

  /// Whether `text` has hexadecimal digits and nothing else.
  static func isHexadecimal(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
      }
  }
}
