import CCrypto

/// Keys from passwords (RFC 7914), made slow and large on purpose.
package enum Scrypt {
  /// The key of `password`: blocks, by SHA-256, `cost` times 1 KiB of memory.
  ///
  /// - Throws: `CryptoError.unavailable` when libcrypto cannot, or there is no memory.
  package static func key(
    of password: [UInt8], salt: [UInt8], cost: UInt64, byteCount: Int = 32
  ) throws -> [UInt8] {
    guard Libcrypto.isReady else { throw CryptoError.unavailable("scrypt") }
    var key = [UInt8](repeating: 0, count: byteCount)
    let (blockSize, most) = (UInt64(8), UInt64(256 << 20))
    let text = password.map { CChar(bitPattern: $0) }
    let status = EVP_PBE_scrypt(
      text, text.count, salt, salt.count, cost, blockSize, 1, most, &key, byteCount)
    guard status == 1 else { throw CryptoError.unavailable("scrypt") }
    return key
  }

  /// Whether two secrets are the same, in a time that does not tell where they differ.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
