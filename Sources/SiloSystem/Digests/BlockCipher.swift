import CCrypto

/// AES-128 in CBC mode with PKCS#7 padding, fed as bytes pass by; computed by libcrypto in hardware where there is any.
package struct BlockCipher: ~Copyable {
  /// Which way.
  package enum Direction: Sendable, Hashable {
    /// Clear to encrypted.
    case encrypt
    /// Encrypted to clear; the padding is checked and removed.
    case decrypt
  }

  private let context: OpaquePointer
  private static let blockByteCount = 16

  /// A cipher with a key and an initialisation vector of 16 bytes each.
  package init(_ direction: Direction, key: [UInt8], vector: [UInt8]) throws {
    for bytes in [key, vector] where bytes.count != Self.blockByteCount {
      throw CryptoError.keyLength(bytes.count)
    }
    self.context = try Self.context(direction, key, vector)
  }

  private static func context(_ direction: Direction, _ key: [UInt8], _ vector: [UInt8]) throws
    -> OpaquePointer
  {
    guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError.unavailable("aes-128-cbc") }
    let encrypts: Int32 = direction == .encrypt ? 1 : 0
    guard EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, key, vector, encrypts) == 1 else {
      EVP_CIPHER_CTX_free(context)
      throw CryptoError.unavailable("aes-128-cbc")
    }
    return context
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Takes `bytes` and appends what is ready; up to one block stays behind for the next call.
  package mutating func update(_ bytes: RawSpan, appendingTo output: inout [UInt8]) throws {
    // EVP counts in Int32.
    let step = 1 << 30
    var offset = 0
    while offset < bytes.byteCount {
      let end = min(bytes.byteCount, offset + step)
      try updateStep(bytes.extracting(offset..<end), appendingTo: &output)
      offset = end
    }
  }

  private func updateStep(_ bytes: RawSpan, appendingTo output: inout [UInt8]) throws {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: bytes.byteCount + Self.blockByteCount))
    var written: Int32 = 0
    let code = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBufferPointer { output in
        EVP_CipherUpdate(
          context, output.baseAddress?.advanced(by: start), &written,
          input.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(input.count))
      }
    }
    output.removeSubrange((start + Int(written))...)
    guard code == 1 else { throw CryptoError.badPadding }
  }

  /// Appends the last block.
  ///
  /// - Throws: `CryptoError.badPadding` when what was decrypted does not end in PKCS#7 padding.
  package consuming func finish(appendingTo output: inout [UInt8]) throws {
    var block = [UInt8](repeating: 0, count: Self.blockByteCount * 2)
    var written: Int32 = 0
    guard EVP_CipherFinal_ex(context, &block, &written) == 1 else {
      // The thread's error queue would otherwise grow, and be misread by the next user of libcrypto.
      ERR_clear_error()
      throw CryptoError.badPadding
    }
    output.append(contentsOf: block[..<Int(written)])
  }

  /// Everything at once.
  package static func run(
    _ direction: Direction, key: [UInt8], vector: [UInt8], over bytes: [UInt8]
  ) throws -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + blockByteCount)
    var cipher = try BlockCipher(direction, key: key, vector: vector)
    try cipher.update(bytes.span.bytes, appendingTo: &output)
    try cipher.finish(appendingTo: &output)
    return output
  }
}
