import Foundation
import SiloTestSupport
import Testing

/// Digests that a server sends beside a file: checked, named, and never a reason to throw a good file away.
@Suite("Digests of a server")
struct ServerDigestTests {
  private static let zeros = Data(count: 64).base64EncodedString()
  private static let shortZeros = Data(count: 16).base64EncodedString()

  private func encodedSHA512(_ path: String) async throws -> String {
    let digits = try await run("sha512sum", path).stdout.prefix { $0 != " " }
    var bytes: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    return Data(bytes).base64EncodedString()
  }

  private func serve(_ server: FaultServer) async throws -> String {
    let path = try await Film.mkv.path()
    server.serve([UInt8](try Data(contentsOf: URL(filePath: path))), at: "/film.mkv")
    return path
  }

  @Test(
    "a right digest is among what was verified, of a packaged file too", .timeLimit(.minutes(5)))
  func right() async throws {
    let server = try FaultServer()
    let digest = try await encodedSHA512(try await serve(server))
    server.on("/film.mkv") { _, _ in .served.header("Repr-Digest", "sha-512=:\(digest):") }
    for options in [[], ["--audio", "tr"]] {
      let tool = try Tool()
      let result = try await tool.run(options + ["--json", server.url("/film.mkv")])
      #expect(result.status == 0, "\(result.stderr)")
      let finished = try jsonLines(result).first { $0["event"] as? String == "finished" }
      #expect((finished?["verified"] as? [String])?.contains("sha-512") == true)
      #expect(try tool.leftovers().count == 1)
    }
  }

  @Test(
    "a wrong digest of the whole file is 8, and says which, what and whose", .timeLimit(.minutes(5))
  )
  func wrong() async throws {
    let server = try FaultServer()
    _ = try await serve(server)
    for (name, value) in [
      ("Repr-Digest", "sha-512=:\(Self.zeros):"), ("Digest", "md5=\(Self.shortZeros)"),
    ] {
      server.on("/film.mkv") { _, _ in .served.header(name, value) }
      let tool = try Tool()
      let result = try await tool.run([server.url("/film.mkv")])
      #expect(result.status == 8)
      #expect(
        result.stderr.contains(name) && result.stderr.contains("00000000"), "\(result.stderr)")
      #expect(try tool.leftovers() == [])
    }
  }

  @Test("beside a part of the file no digest condemns it", .timeLimit(.minutes(5)))
  func part() async throws {
    let server = try FaultServer()
    let path = try await serve(server)
    for (name, value) in [
      ("Content-Digest", "sha-512=:\(Self.zeros):"), ("Content-MD5", Self.shortZeros),
      ("Repr-Digest", "sha-512=:\(Self.zeros):"), ("Digest", "md5=\(Self.shortZeros)"),
    ] {
      server.on("/film.mkv") { request, _ in
        // The file itself ends too early once: the rest of it comes as a part.
        request.header("Range") == nil
          ? .served.cut(after: 900_000) : .served.header(name, value)
      }
      let tool = try Tool()
      let result = try await tool.run([server.url("/film.mkv")])
      #expect(result.status == 0, "\(name): \(result.stderr)")
      #expect(
        try tool.folder.read("film.mkv") == [UInt8](try Data(contentsOf: URL(filePath: path))))
    }
  }

  @Test(
    "what came with the whole file holds when the rest of it comes as a part",
    .timeLimit(.minutes(5)))
  func kept() async throws {
    let server = try FaultServer()
    let digest = try await encodedSHA512(try await serve(server))
    for (value, status) in [(Self.zeros, 8), (digest, 0)] as [(String, Int32)] {
      server.on("/film.mkv") { request, _ in
        request.header("Range") == nil
          ? .served.cut(after: 900_000).header("Repr-Digest", "sha-512=:\(value):") : .served
      }
      let tool = try Tool()
      let result = try await tool.run(["--json", server.url("/film.mkv")])
      #expect(result.status == status, "\(result.stderr)")
      let finished = try jsonLines(result).first { $0["event"] as? String == "finished" }
      #expect(
        (finished?["verified"] as? [String])?.contains("sha-512") == (status == 0 ? true : nil))
    }
  }
}
