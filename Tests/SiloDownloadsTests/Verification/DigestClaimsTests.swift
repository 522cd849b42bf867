import Foundation
import SiloMedia
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Claims about digests")
struct DigestClaimsTests {
  /// `{"hello": "world"}` and a line feed: the example of RFC 9530.
  private static let hello = Array("{\"hello\": \"world\"}\n".utf8)
  private static let sha256 = "44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38"
  private static let sha512 =
    "60c01a9b9d49cff8ce0134faff3bc7acb5603984c6172d5de862623874e886ae"
    + "323fea60938bdfd9a0acc9164eb70f0c8e433b8b0ef267f5a4a6998ce384f7aa"
  private static let encoded256 = "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="
  private static let encoded512 =
    "YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg=="

  /// What the head of an answer claims: algorithm and the first digits, `?` when a difference proves nothing, and the
  /// number of fields or members that are ignored.
  private static let heads: [(headers: [String], status: Int, claims: [String], ignored: Int)] = [
    ([], 200, [], 0),
    // RFC 9530, B.1 and B.10, C: the registered algorithms, weak ones among them.
    (["Repr-Digest: sha-256=:\(encoded256):"], 200, ["sha-256 44aff4ab"], 0),
    (
      ["Repr-Digest: sha-256=:\(encoded256):, sha-512=:\(encoded512):"], 200,
      ["sha-256 44aff4ab", "sha-512 60c01a9b"], 0
    ),
    (
      ["Repr-Digest: sha-512=:\(encoded512):", "repr-digest: sha-256=:\(encoded256):;x=\"a,b\""],
      200, ["sha-512 60c01a9b", "sha-256 44aff4ab"], 0
    ),
    (["Repr-Digest: crc32c=:AAAAAA==:, unixsum=:BBB=:, a=1"], 200, [], 3),
    (["Repr-Digest: sha-256=:AAAA:"], 200, [], 1),
    (["Repr-Digest: sha-256=\(encoded256)"], 200, [], 1),
    (["Repr-Digest: sha-256=:\(encoded256)"], 200, [], 1),
    (["Repr-Digest: sha-256=:\(encoded256):,"], 200, [], 1),
    (["Repr-Digest: SHA-256=:\(encoded256):"], 200, [], 1),
    (["Repr-Digest: sha-256"], 200, [], 1),
    (["Content-Digest: sha-256=:\(encoded256):"], 200, ["sha-256 44aff4ab"], 0),
    // A part: what is of the whole may confirm only, what is of the part counts for nothing.
    (
      ["Content-Range: bytes 0-9/19", "Repr-Digest: sha-256=:\(encoded256):"], 206,
      ["sha-256? 44aff4ab"], 0
    ),
    (["Content-Range: bytes 0-9/19", "Content-Digest: sha-256=:\(encoded256):"], 206, [], 1),
    (
      ["Content-Range: bytes 0-18/19", "Content-Digest: sha-256=:\(encoded256):"], 206,
      ["sha-256 44aff4ab"], 0
    ),
    (["Content-Range: bytes 0-18/*", "Content-Digest: sha-256=:\(encoded256):"], 206, [], 1),
    (["Content-Encoding: gzip", "Repr-Digest: sha-256=:\(encoded256):"], 200, [], 1),
    // RFC 3230, 4.3.2.
    (["Digest: md5=HUXZLQLMuI/KZ5KDcJPcOA=="], 200, ["md5 1d45d92d"], 0),
    (["Digest: SHA=thvDyvhfIqlvFe+A9MYgxAfm1q4=,unixsum=30637"], 200, ["sha-1 b61bc3ca"], 1),
    (
      ["Digest: SHA-256=\(encoded256) ; q=0.3 , MD5=HUXZLQLMuI/KZ5KDcJPcOA==;q=1"], 200,
      ["sha-256 44aff4ab", "md5 1d45d92d"], 0
    ),
    (["Digest: id-sha-256=\(encoded256)"], 200, ["sha-256 44aff4ab"], 0),
    (["Digest: sha-256=\(sha256)"], 200, [], 1),
    (["Digest: ,;=,="], 200, [], 2),
    (
      ["Content-Range: bytes 5-9/19", "Digest: sha-256=\(encoded256)"], 206, ["sha-256? 44aff4ab"],
      0
    ),
    // RFC 1864, 3.
    (["Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ=="], 200, ["md5 43686563"], 0),
    (["Content-MD5: 50521abab7a013be83ee00ded3f9f424"], 200, [], 1),
    (["Content-Range: bytes 5-9/19", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ=="], 206, [], 1),
    (["x-amz-checksum-sha256: \(encoded256)"], 200, ["sha-256 44aff4ab"], 0),
    (["x-amz-checksum-sha256: \(encoded256)-12"], 200, [], 1),
    (["X-Amz-Checksum-Type: COMPOSITE", "X-Amz-Checksum-SHA256: \(encoded256)"], 200, [], 1),
    (["Content-Range: bytes 5-9/19", "x-amz-checksum-sha256: \(encoded256)"], 206, [], 1),
  ]

  @Test(
    "headers are read as their specifications say, and what cannot be checked is kept with its reason"
  )
  func headers() throws {
    for row in Self.heads {
      let headers = try row.headers.map { line in
        let colon = try #require(line.firstIndex(of: ":"))
        return HTTPHeader(
          String(line[..<colon]), String(line[line.index(colon, offsetBy: 2)...]))
      }
      let head = HTTPResponseHead(
        status: row.status, url: URL(filePath: "/"), headers: headers)
      let claims = DigestClaims(headersOf: head)
      let text = claims.expected.map {
        "\($0.algorithm.rawValue)\($0.isBinding ? "" : "?") \($0.hexadecimal.prefix(8))"
      }
      #expect(text == row.claims, "\(row.headers)")
      #expect(claims.ignored.count == row.ignored, "\(row.headers): \(claims.ignored)")
    }
  }

  @Test("a manifest's value is told by its form, and an unknown form is not verifiable")
  func manifests() {
    let rows: [(String, String?)] = [
      (Self.sha256, "sha-256"), (Self.sha256.uppercased(), "sha-256"),
      ("8e245d9679d31e12", "oshash"), ("8e245d9679d31e1", nil), ("8e245d9679d31e1g", nil),
      ("", nil),
      (String(repeating: "٣", count: 16), nil), ("xxh64:8e245d9679d31e12", nil),
      (String(Self.sha256.dropLast()), nil), ("d41d8cd98f00b204e9800998ecf8427e", nil),
    ]
    for (value, algorithm) in rows {
      let claims = DigestClaims(manifest: value)
      #expect(claims.expected.first?.algorithm.rawValue == algorithm, "\(value)")
      #expect(claims.ignored.isEmpty == (algorithm != nil), "\(value)")
    }
  }

  @Test("a user's digest needs its name and all of its digits")
  func texts() {
    let rows: [(String, String?)] = [
      ("sha-256=\(Self.sha256)", "sha-256"), ("SHA256=\(Self.sha256.uppercased())", "sha-256"),
      ("sha512=\(Self.sha512)", "sha-512"), ("sha-1=\(String(repeating: "a", count: 40))", "sha-1"),
      ("md5=50521abab7a013be83ee00ded3f9f424", "md5"), ("oshash=8e245d9679d31e12", "oshash"),
      ("sha-256", nil), ("sha-256=", nil), ("sha-256=abc", nil), ("=abc", nil), ("", nil),
      ("crc32=00000000", nil), ("md5=50521abab7a013be83ee00ded3f9f42g", nil),
    ]
    for (text, algorithm) in rows {
      #expect(ExpectedDigest(text: text)?.algorithm.rawValue == algorithm, "\(text)")
    }
  }

  @Test("the strongest claim decides, the user's always, and one that proves nothing only alone")
  func deciding() {
    func digest(
      _ algorithm: ExpectedDigest.Algorithm, _ origin: ExpectedDigest.Origin = .header("Digest"),
      isBinding: Bool = true
    ) -> ExpectedDigest {
      ExpectedDigest(algorithm, hexadecimal: "0", origin: origin, isBinding: isBinding)
    }
    let rows: [([ExpectedDigest], [String])] = [
      ([], []),
      ([digest(.md5), digest(.sha256), digest(.sha1)], ["sha-256 the server's Digest"]),
      ([digest(.md5, .request), digest(.oshash)], ["md5 --checksum"]),
      ([digest(.sha256), digest(.sha256, .request)], ["sha-256 --checksum"]),
      (
        [digest(.md5, .request), digest(.sha256, .manifest)],
        ["md5 --checksum", "sha-256 the manifest"]
      ),
      ([digest(.sha512, isBinding: false), digest(.md5)], ["md5 the server's Digest"]),
      ([digest(.sha512, isBinding: false)], ["sha-512 the server's Digest"]),
      ([digest(.md5, .request), digest(.sha512, isBinding: false)], ["md5 --checksum"]),
    ]
    for (expected, deciding) in rows {
      let found = DigestClaims(expected).deciding
      #expect(found.map { "\($0.algorithm.rawValue) \($0.origin)" } == deciding)
    }
  }

  @Test("a right digest is named, a wrong one names itself, both values and who expects it")
  func checks() async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: try folder.write("hello.json", Self.hello))
    let right: [ExpectedDigest] = [
      ExpectedDigest(.sha512, hexadecimal: Self.sha512),
      ExpectedDigest(.sha256, hexadecimal: Self.sha256),
      ExpectedDigest(.sha1, hexadecimal: "cb24c04e8b86279d12dd1e225a8b73deaaba3fd6"),
      ExpectedDigest(.md5, hexadecimal: "50521ABAB7A013BE83EE00DED3F9F424"),
    ]
    for digest in right {
      #expect(try await DigestClaims([digest]).check(url).verified == [digest.algorithm])
      var wrong = digest
      wrong.hexadecimal = String(repeating: "0", count: digest.algorithm.digitCount)
      wrong.origin = .header("Repr-Digest")
      let error = await #expect(throws: DownloadError.self) {
        try await DigestClaims([wrong]).check(url)
      }
      #expect(error?.code == .integrity)
      for part in [
        digest.algorithm.rawValue, digest.hexadecimal, wrong.hexadecimal,
        "the server's Repr-Digest",
      ] {
        #expect(error?.message.contains(part) == true, "\(part)")
      }
      wrong.isBinding = false
      let verdict = try await DigestClaims([wrong]).check(url)
      #expect(verdict.verified == [] && verdict.warnings.count == 1)
    }
    // A SHA-256 that is known is not computed again.
    let known = DigestClaims([ExpectedDigest(.sha256, hexadecimal: "00")])
    let verdict = try await known.check(URL(filePath: "/none"), known: [.sha256: "00"])
    #expect(verdict.verified == [.sha256])
  }

  @Test("OSHash sums both ends, and a manifest's of a short file condemns nothing")
  func oshash() async throws {
    let folder = try TemporaryFolder()
    var ends = [UInt8](repeating: 0, count: 200_000)
    (ends[0], ends[7]) = (5, 0x80)
    ends[199_999] = 0x80
    ends[70_000] = 0xFF
    let rows: [(name: String, bytes: [UInt8], hash: String)] = [
      ("zeros", [UInt8](repeating: 0, count: 131_072), "0000000000020000"),
      ("ends", ends, "0000000000030d45"),
      ("short", Array("12345678rest".utf8), "706e6c6a6866646e"),
      ("empty", [], "0000000000000000"),
    ]
    for row in rows {
      let url = URL(filePath: try folder.write(row.name, row.bytes))
      #expect(try OpenSubtitlesHash.of(url) == row.hash, "\(row.name)")
      var claims = DigestClaims(manifest: String(repeating: "f", count: 16))
      if row.bytes.count < 131_072 {
        let verdict = try await claims.check(url)
        #expect(verdict.verified == [] && verdict.warnings.count == 1)
      } else {
        await #expect(throws: DownloadError.self) { try await claims.check(url) }
      }
      claims = DigestClaims(manifest: row.hash)
      #expect(try await claims.check(url).verified == [.oshash])
    }
  }
}
