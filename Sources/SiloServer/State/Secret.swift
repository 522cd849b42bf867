import SiloSystem

/// Random words that open something, and what is kept of them.
enum Secret {
  /// 256 bits in letters and digits, after `prefix`.
  static func make(prefix: String = "") -> String {
    prefix + Digest.hex(bytes(32))
  }

  /// Random bytes, of the system's source of secrets.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// A random id in the form of a UUID.
  static func identifier() -> String {
    let digits = Array(Digest.hex(bytes(16)))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(
      separator: "-")
  }

  /// What is stored of a secret with 256 bits: it cannot be guessed, so a plain digest keeps it.
  static func fingerprint(_ secret: String) throws -> [UInt8] {
    var digest = try Digest(.sha256)
    digest.update(Array(secret.utf8))
    return digest.finish()
  }
}
