import struct Foundation.Data

extension DigestClaims {
  /// What the head of an answer says of the file that came in it.
  ///
  /// `Repr-Digest` and `Content-Digest` (RFC 9530), `Digest` (RFC 3230), `x-amz-checksum-…`, `Content-MD5` (RFC 1864). What is
  /// of the content of this answer counts only when that is the whole file; what is of the whole file, but came beside a
  /// part of it, may confirm and never condemns. Of a compressed answer nothing counts.
  public init(headersOf head: HTTPResponseHead) {
    self.init()
    for field in Field.allCases {
      let values = head.headers.filter { $0.name.lowercased() == field.rawValue.lowercased() }
      guard !values.isEmpty else { continue }
      let origin = ExpectedDigest.Origin.header(field.rawValue)
      if head.isEncoded {
        ignore(origin, "it is of the compressed file")
      } else if !head.isWhole, field.isOfContent {
        ignore(origin, "it is of a part of the file")
      } else if field.isComposite(head) {
        ignore(origin, "it is a digest of the digests of parts")
      } else {
        read(field, values.map(\.value).joined(separator: ", "), isBinding: head.isWhole)
      }
    }
  }

  /// The header fields that are read, the clearest first.
  private enum Field: String, CaseIterable {
    case representation = "Repr-Digest"
    case content = "Content-Digest"
    case instance = "Digest"
    case amazonSHA256 = "x-amz-checksum-sha256"
    case amazonSHA1 = "x-amz-checksum-sha1"
    case contentMD5 = "Content-MD5"

    /// Whether it is of the bytes in this very answer, or may be.
    var isOfContent: Bool {
      switch self {
      case .representation, .instance: false
      // Of a range that is one of the parts of an upload, it is that part's.
      case .content, .contentMD5, .amazonSHA256, .amazonSHA1: true
      }
    }

    func isComposite(_ head: HTTPResponseHead) -> Bool {
      switch self {
      case .amazonSHA256, .amazonSHA1:
        head["x-amz-checksum-type"]?.uppercased() == "COMPOSITE"
          || head[rawValue]?.contains("-") == true
      default: false
      }
    }
  }

  private mutating func read(_ field: Field, _ text: String, isBinding: Bool) {
    let origin = ExpectedDigest.Origin.header(field.rawValue)
    switch field {
    case .representation, .content:
      guard let members = DigestDictionary.members(of: text) else {
        return ignore(origin, "it is no dictionary")
      }
      for (name, bytes) in members { add(bytes, name, origin, isBinding) }
    case .instance:
      for (name, encoded) in Self.instanceDigests(text) {
        add(Self.decoded(encoded), name, origin, isBinding)
      }
    case .amazonSHA256: add(Self.decoded(text), "sha-256", origin, isBinding)
    case .amazonSHA1: add(Self.decoded(text), "sha", origin, isBinding)
    case .contentMD5: add(Self.decoded(text), "md5", origin, isBinding)
    }
  }

  private mutating func add(
    _ bytes: [UInt8]?, _ name: String, _ origin: ExpectedDigest.Origin, _ isBinding: Bool
  ) {
    guard let algorithm = Self.algorithms[name] else {
      return ignore(origin, "\(Self.printable(name)) is too weak or not known")
    }
    guard let bytes, bytes.count * 2 == algorithm.digitCount else {
      return ignore(origin, "it holds no \(algorithm.rawValue)")
    }
    let digits = bytes.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    add(
      ExpectedDigest(
        algorithm, hexadecimal: digits.joined(), origin: origin, isBinding: isBinding))
  }

  /// The names of the registries of RFC 9530 and RFC 5843 for what is checked; the rest (`unixsum`, `crc32c`, …) is no digest.
  private static let algorithms: [String: ExpectedDigest.Algorithm] = [
    "sha-512": .sha512, "sha-256": .sha256, "sha": .sha1, "md5": .md5, "id-sha-512": .sha512,
    "id-sha-256": .sha256, "id-sha": .sha1, "id-md5": .md5,
  ]

  /// `SHA-256=4REjx…=,unixsum=30637;q=0.5` in pairs.
  private static func instanceDigests(_ text: String) -> [(name: String, encoded: String)] {
    text.split(separator: ",").map { part in
      let value = part.prefix { $0 != ";" }
      let name = value.prefix { $0 != "=" }
      return (
        name.filter { $0 != " " && $0 != "\t" }.lowercased(),
        String(value.dropFirst(name.count + 1))
      )
    }
  }

  private static func decoded(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text.filter { $0 != " " && $0 != "\t" }).map { [UInt8]($0) }
  }

  private static func printable(_ name: String) -> String {
    String(
      name.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(20).map(Character.init)
    )
  }
}

extension HTTPResponseHead {
  /// Whether the body is all of the file.
  fileprivate var isWhole: Bool {
    guard status == 206 else { return status == 200 }
    guard let total = contentRange?.total, let range = contentRange?.range else { return false }
    return range == 0..<total
  }
}
