import CCrypto

/// A digest that is fed as bytes pass by, computed by libcrypto in hardware where there is any.
package struct Digest: ~Copyable {
  /// Which digest.
  package enum Algorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-512.
    case sha512 = "sha-512"
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-1, for sources that publish nothing better.
    case sha1 = "sha-1"
    /// MD5, for sources that publish nothing better.
    case md5 = "md5"

    /// The length of the digest.
    package var byteCount: Int {
      switch self {
      case .sha512: 64
      case .sha256: 32
      case .sha1: 20
      case .md5: 16
      }
    }
  }

  private let context: OpaquePointer
  private let algorithm: Algorithm

  /// A digest of nothing yet.
  ///
  /// - Throws: `CryptoError.unavailable` when libcrypto was configured without the algorithm (MD5 under FIPS).
  package init(_ algorithm: Algorithm) throws {
    self.context = try Self.context(for: algorithm)
    self.algorithm = algorithm
  }

  private static func context(for algorithm: Algorithm) throws -> OpaquePointer {
    let kind =
      switch algorithm {
      case .sha512: EVP_sha512()
      case .sha256: EVP_sha256()
      case .sha1: EVP_sha1()
      case .md5: EVP_md5()
      }
    guard let context = EVP_MD_CTX_new() else { throw CryptoError.unavailable(algorithm.rawValue) }
    guard EVP_DigestInit_ex(context, kind, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw CryptoError.unavailable(algorithm.rawValue)
    }
    return context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { update(bytes.span.bytes) }

  /// The digest of everything added.
  package consuming func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: algorithm.byteCount)
    EVP_DigestFinal_ex(context, &bytes, nil)
    return bytes
  }

  /// The digest of everything added, in lower-case hexadecimal digits.
  package consuming func finishHex() -> String { Self.hex(finish()) }

  /// The digest of bytes at hand.
  package static func hex(of bytes: [UInt8], _ algorithm: Algorithm = .sha256) throws -> String {
    var digest = try Digest(algorithm)
    digest.update(bytes)
    return digest.finishHex()
  }

  /// Bytes in lower-case hexadecimal digits.
  package static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// What libcrypto refused.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The algorithm is not there.
  case unavailable(String)
  /// A key or initialisation vector is not 16 bytes long.
  case keyLength(Int)
  /// The padding after decryption is wrong: wrong key or vector, or damaged or cut bytes.
  case badPadding

  /// The failure in a sentence.
  package var description: String {
    switch self {
    case .unavailable(let name): "libcrypto does not offer \(name)"
    case .keyLength(let count): "an AES-128 key and its vector have 16 bytes, not \(count)"
    case .badPadding: "decryption ends in bad padding: wrong key or vector, or damaged bytes"
    }
  }
}
