import Foundation
import SiloStore
import SiloTestSupport
import Testing

/// Promise 6 counts every byte: a rerun does not pay again for what a run before found.
@Suite("Reruns")
struct RerunTests {
  /// The first request of a look, and the one that proves that it still holds.
  private static let (look, proof) = ("bytes=0-393215", "bytes=0-1023")
  private static let film = Task { try await Film.padded(by: 8 << 20) }

  @Test(
    "a rerun asks for 1 KiB in place of a look, and for what is missing", .timeLimit(.minutes(5)))
  func remembered() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, bytes, tag: "one")
    #expect(try rowCount(tool) == 1)
    let before = server.requests
    server.on("/film.mkv") { _, _ in .bytes(bytes).etag("one") }
    let result = try await tool.run(["-c", "1", server.url("/film.mkv?token=2")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == bytes)
    let requests = server.requests.dropFirst(before.count)
    #expect(requests.map { $0.header("Range") } == [Self.proof, "bytes=\(Self.cut)-"])
    #expect(requests.map { $0.header("If-Range") } == [nil, "\"one\""])
    #expect(requests.reduce(0) { $0 + $1.bytesSent } == Int64(bytes.count) - Self.cut + 1024)
    // Nobody needs to know any more.
    #expect(try rowCount(tool) == 0)
  }

  @Test(
    "a source that was replaced meanwhile is looked into again, and never mixed",
    .timeLimit(.minutes(5)))
  func replaced() async throws {
    let first = try await Self.film.value
    let second = Self.dubbed(first)
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, first, tag: "one")
    let before = server.requests.count
    server.on("/film.mkv") { _, _ in .bytes(second).etag("two") }
    let result = try await tool.run(["-c", "1", "--json", server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == second)
    #expect(try languages(result).contains("fi"))
    let ranges = server.requests.dropFirst(before).map { $0.header("Range") }
    #expect(ranges.prefix(2) == [Self.proof, Self.look])
  }

  @Test(
    "what is noted and cannot be used costs a look and nothing else", .timeLimit(.minutes(5)),
    arguments: [
      "UPDATE source_look SET look = x'7b7d'", "UPDATE source_look SET look = x''",
      "UPDATE source_look SET source = 'http://127.0.0.1/other.mkv'", "DELETE FROM source_look",
    ])
  func damaged(_ damage: String) async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, bytes, tag: "one")
    try state(tool).execute(damage)
    let before = server.requests.count
    server.on("/film.mkv") { _, _ in .bytes(bytes).etag("one") }
    let result = try await tool.run(["-c", "1", server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == bytes)
    let ranges = server.requests.dropFirst(before).map { $0.header("Range") }
    #expect(ranges == [Self.look, "bytes=\(Self.cut)-"])
  }

  @Test("a probe looks itself, whatever a download noted", .timeLimit(.minutes(5)))
  func probe() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, bytes, tag: "one")
    let before = server.requests.count
    server.on("/film.mkv") { _, _ in .bytes(Self.dubbed(bytes)).etag("one") }
    let result = try await tool.run(["probe", "--json", server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try languages(result).contains("fi"))
    #expect(server.requests.dropFirst(before).first?.header("Range") == Self.look)
  }

  @Test(
    "a look that what came contradicts is forgotten, so that a rerun helps", .timeLimit(.minutes(5))
  )
  func contradicted() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, bytes, tag: "one")
    for name in try tool.leftovers() {
      try FileManager.default.removeItem(atPath: tool.folder.path(name))
    }
    // A server whose ETags mean nothing: half the film under the same one, and nothing stored to compare.
    let half = tool.folder.path("home/half.mkv")
    try await Media.make([
      "-i", try await Film.mkv.path(), "-map", "0", "-c", "copy", "-t", "12", half,
    ])
    let other = [UInt8](try Data(contentsOf: URL(filePath: half)))
    let same = other + Self.void(bytes.count - other.count)
    server.on("/film.mkv") { _, _ in .bytes(same).etag("one") }
    let refused = try await tool.run([server.url("/film.mkv")])
    #expect(refused.status == 8, "\(refused.stderr)")
    let result = try await tool.run([server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == same)
  }

  @Test("the note holds no secret of the address", .timeLimit(.minutes(5)))
  func secrets() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    try await interrupt(tool, server, bytes, tag: "one")
    for name in try tool.folder.names() where name.hasPrefix("home/state") {
      let text = String(decoding: try tool.folder.read(name), as: UTF8.self)
      #expect(!text.contains("hushhush") && !text.contains("letmein"), "\(name)")
      let rights = try FileManager.default.attributesOfItem(atPath: tool.folder.path(name))
      #expect(rights[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  private static let cut: Int64 = 3 << 20

  /// A download that ends with its bytes at `cut`, as after a line that broke for good.
  private func interrupt(
    _ tool: Tool, _ server: FaultServer, _ bytes: [UInt8], tag: String
  ) async throws {
    server.on("/film.mkv") { request, n in
      request.header("If-Range") == nil
        ? .bytes(bytes).etag(tag).cut(after: Self.cut) : .hangUp
    }
    let result = try await tool.run([
      "-c", "1", "--retry", "1", "--header", "X-Key: letmein",
      server.url("/film.mkv?token=hushhush"),
    ])
    try #require(result.status == 5, "\(result.stderr)")
  }

  /// The same film whose first sound track is in Finnish.
  private static func dubbed(_ film: [UInt8]) -> [UInt8] {
    var film = film
    let (old, new) = (Array("tur".utf8), Array("fin".utf8))
    var from = 0
    while let range = film[from..<(64 << 10)].firstRange(of: old) {
      film.replaceSubrange(range, with: new)
      from = range.upperBound
    }
    return film
  }

  /// An element of Matroska that means nothing.
  private static func void(_ byteCount: Int) -> [UInt8] {
    let length = (0..<7).reversed().map { UInt8(truncatingIfNeeded: (byteCount - 9) >> ($0 * 8)) }
    return [0xEC, 0x01] + length + [UInt8](repeating: 1, count: byteCount - 9)
  }

  /// The languages of the sound tracks, by the first line that tells them.
  private func languages(_ result: CommandResult) throws -> [String] {
    let told = try jsonLines(result).lazy.compactMap { $0["audio"] as? [[String: Any]] }.first
    return try #require(told).compactMap { $0["language"] as? String }
  }

  private func state(_ tool: Tool) throws -> Connection {
    try Connection.open(tool.folder.path("home/state.sqlite"), mode: .readWrite)
  }

  private func rowCount(_ tool: Tool) throws -> Int {
    try state(tool).rows("SELECT 1 FROM source_look").count
  }
}
