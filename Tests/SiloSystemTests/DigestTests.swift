import SiloSystem
import Testing

@Suite("Digests and cipher")
struct DigestTests {
  @Test("digests are those of the published examples")
  func examples() throws {
    // FIPS 180-2 appendix and RFC 1321 A.5.
    let rows: [(Digest.Algorithm, String, String)] = [
      (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    ]
    for (algorithm, text, hex) in rows {
      #expect(try Digest.hex(of: Array(text.utf8), algorithm) == hex)
    }
  }

  @Test("pieces give the digest of the whole")
  func pieces() throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    for algorithm in Digest.Algorithm.allCases {
      var digest = try Digest(algorithm)
      for start in stride(from: 0, to: bytes.count, by: 777) {
        digest.update(Array(bytes[start..<min(start + 777, bytes.count)]))
      }
      let hex = digest.finishHex()
      #expect(try hex == Digest.hex(of: bytes, algorithm))
    }
  }

  @Test("what was encrypted comes back, whatever the sizes of the pieces")
  func cipher() throws {
    let key = (0..<16).map { UInt8($0) }
    let vector = (0..<16).map { UInt8(255 - $0) }
    for count in [0, 1, 15, 16, 17, 1000] {
      let clear = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let secret = try BlockCipher.run(.encrypt, key: key, vector: vector, over: clear)
      #expect(secret.count == (count / 16 + 1) * 16)
      for size in [1, 16, 100, 5000] {
        var cipher = try BlockCipher(.decrypt, key: key, vector: vector)
        var output: [UInt8] = []
        for start in stride(from: 0, to: secret.count, by: size) {
          let piece = Array(secret[start..<min(start + size, secret.count)])
          try cipher.update(piece.span.bytes, appendingTo: &output)
        }
        try cipher.finish(appendingTo: &output)
        #expect(output == clear)
      }
    }
  }

  @Test("the first block is that of SP 800-38A F.2.1")
  func vector() throws {
    let key: [UInt8] = [
      0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f,
      0x3c,
    ]
    let clear: [UInt8] = [
      0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17,
      0x2a,
    ]
    let secret = try BlockCipher.run(.encrypt, key: key, vector: Array(0..<16), over: clear)
    #expect(Digest.hex(Array(secret[..<16])) == "7649abac8119b246cee98e9b12e9197d")
  }

  @Test("a wrong key, cut bytes and a key of a wrong length are refused")
  func refusals() throws {
    let key = [UInt8](repeating: 1, count: 16)
    let secret = try BlockCipher.run(.encrypt, key: key, vector: key, over: Array(0..<40))
    for bytes in [Array(secret.dropLast()), Array(secret[..<16]), []] {
      #expect(throws: CryptoError.badPadding) {
        try BlockCipher.run(.decrypt, key: key, vector: key, over: bytes)
      }
    }
    #expect(throws: CryptoError.keyLength(15)) {
      try BlockCipher(.decrypt, key: Array(key.dropLast()), vector: key).finishQuietly()
    }
  }
}

extension BlockCipher {
  fileprivate consuming func finishQuietly() {}
}
