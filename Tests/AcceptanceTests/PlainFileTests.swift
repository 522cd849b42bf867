import Foundation
import SiloTestSupport
import Testing

/// A file behind a URL: looked into first, whole or cut to the choice, resumed, never spliced, never overwritten.
@Suite("Plain files")
struct PlainFileTests {
  private func film(_ film: Film = .mkv) async throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: try await film.path())))
  }

  @Test(
    "all of it wanted: byte for byte, and asked again there is nothing to do",
    .timeLimit(.minutes(5)))
  func whole() async throws {
    let server = try FaultServer()
    let bytes = try await film()
    server.serve(bytes, at: "/a/film.mkv")
    let tool = try Tool()
    let result = try await tool.run(["--json", server.url("/a/film.mkv?token=1")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.leftovers() == ["film.mkv"])
    #expect(try tool.folder.read("film.mkv") == bytes)
    let finished = try #require(
      try jsonLines(result).first { $0["event"] as? String == "finished" })
    #expect(
      Set(finished["verified"] as? [String] ?? []).isSuperset(of: [
        "length", "sha-256", "structure",
      ]))
    let sum = try await SiloTestSupport.run("sha256sum", tool.folder.path("film.mkv"))
    #expect(sum.stdout.hasPrefix(finished["sha256"] as? String ?? "?"))

    let again = try await tool.run(["--json", server.url("/a/film.mkv?token=2")])
    #expect(again.status == 0)
    #expect(try jsonLines(again).contains { $0["event"] as? String == "skipped" })
  }

  @Test(
    "a file that is not ours, or holds another choice, is never overwritten",
    .timeLimit(.minutes(5)))
  func foreign() async throws {
    let server = try FaultServer()
    server.serve(try await film(), at: "/film.mkv")
    let tool = try Tool()
    _ = try tool.folder.write("film.mkv", "mine")
    let refused = try await tool.run([server.url("/film.mkv")])
    #expect(refused.status == 7 && refused.stderr.contains("--overwrite"), "\(refused.stderr)")
    #expect(try tool.folder.read("film.mkv") == Array("mine".utf8))
    #expect(try await tool.run(["--overwrite", server.url("/film.mkv")]).status == 0)
    let other = try await tool.run(["--audio", "de", server.url("/film.mkv"), "-o", "film.mkv"])
    #expect(other.status == 7, "\(other.stderr)")
    #expect(try tool.leftovers() == ["film.mkv"])
  }

  @Test("side files that are not from here are kept", .timeLimit(.minutes(5)))
  func sideFiles() async throws {
    let film = try await Film.mkv.path()
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    server.serve([UInt8](try Data(contentsOf: URL(filePath: film))), at: "/film.mkv")
    let tool = try Tool()
    let outside = try TemporaryFolder()
    let mine = try outside.write("mine", "mine")
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.path("a.mkv.part"), withDestinationPath: mine)
    _ = try tool.folder.write("b.mkv.part", "mine")
    try FileManager.default.createDirectory(
      atPath: tool.folder.path("c.mkv.parts"), withIntermediateDirectories: true)
    _ = try tool.folder.write("c.mkv.parts/diary", "mine")
    for (source, name) in [
      (film, "a.mkv"), (server.url("/film.mkv"), "a.mkv"), (film, "b.mkv"),
      (server.url("/film.mkv"), "b.mkv"), (server.url("/master.m3u8"), "c.mkv"),
    ] {
      for options in [[], ["--audio", "tr"]] {
        let result = try await tool.run(options + [source, "-o", name])
        #expect(result.status == 7, "\(source) \(name): \(result.status) \(result.stderr)")
      }
    }
    #expect(try outside.read("mine") == Array("mine".utf8))
    #expect(
      try tool.leftovers() == ["a.mkv.part", "b.mkv.part", "c.mkv.parts", "c.mkv.parts/diary"])
  }

  @Test(
    "some tracks wanted: the file is cut to them", .timeLimit(.minutes(5)),
    arguments: [Film.mkv, .mp4, .faststart])
  func cut(film: Film) async throws {
    let server = try FaultServer()
    let source = try await film.path()
    server.serve((source as NSString).deletingLastPathComponent)
    let tool = try Tool()
    let name = (source as NSString).lastPathComponent
    let result = try await tool.run([
      "--audio", "de,en", "--subs", "none", server.url("/\(name)"), "-o", "out.mkv",
    ])
    #expect(result.status == 0, "\(result.stderr)")
    let output = tool.folder.path("out.mkv")
    let audio = try await Probe.streams(output, kind: "audio")
    #expect(audio.map(\.language) == ["eng", "ger"])
    #expect(audio.map(\.isDefault) == [false, true])
    #expect(try await Probe.streams(output, kind: "subtitle").isEmpty)
    #expect(try tool.leftovers() == ["out.mkv"])
    #expect(try await Probe.complaints(output) == "")
    for (track, origin) in [("v:0", "v:0"), ("a:0", "a:1"), ("a:1", "a:2")] {
      let times = try await Probe.times(output, track)
      let sourceTimes = try await Probe.times(source, origin)
      #expect(times.count == sourceTimes.count)
      let shifts = zip(times, sourceTimes).map { $0 - $1 }
      #expect((shifts.max() ?? 9) - (shifts.min() ?? 0) < 0.0016, "\(track) of \(film)")
    }
  }

  @Test(
    "a clock that wraps, and sound with a codec delay, keep every packet in its place",
    .timeLimit(.minutes(5)))
  func clocks() async throws {
    let film = try await Film.mkv.path()
    let tool = try Tool()
    let rows: [(name: String, options: [String], container: String)] = [
      ("wrap.ts", ["-c", "copy", "-output_ts_offset", "95440"], "mp4"),
      ("wrap.ts", ["-c", "copy", "-output_ts_offset", "95440"], "mkv"),
      ("opus.mkv", ["-c:v", "copy", "-c:a", "libopus", "-b:a", "32k"], "mkv"),
      ("opus.mkv", ["-c:v", "copy", "-c:a", "libopus", "-b:a", "32k"], "mp4"),
    ]
    for row in rows {
      let source = tool.folder.path(row.name)
      let maps = ["-map", "0:v", "-map", "0:a:0", "-map", "0:a:2"]
      try await Media.make(["-y", "-i", film] + maps + row.options + [source])
      let output = tool.folder.path("out." + row.container)
      let result = try await tool.run(["--audio-track", "a1", source, "-o", output, "--overwrite"])
      #expect(result.status == 0, "\(result.stderr)")
      var shifts: [Double] = []
      for (track, origin) in [("v:0", "v:0"), ("a:0", "a:1")] {
        let times = try await Probe.times(output, track)
        let sourceTimes = try await Probe.times(source, origin)
        #expect(times.count == sourceTimes.count, "\(row.name) \(row.container) \(track)")
        shifts += zip(times, sourceTimes).map { $0 - $1 }
      }
      #expect(
        (shifts.max() ?? 9) - (shifts.min() ?? 0) < 0.0021, "\(row.name) to \(row.container)")
    }
  }

  @Test("a transfer that was killed continues where it was", .timeLimit(.minutes(5)))
  func killed() async throws {
    let server = try FaultServer()
    let bytes = try await film() + [UInt8](repeating: 0xEC, count: 0)
    let large = try await padded(bytes)
    server.serve(large, at: "/film.mkv")
    server.on("/film.mkv") { _, _ in .served.dripping(256 << 10, every: .milliseconds(10)) }
    let tool = try Tool()
    let command = try tool.start([server.url("/film.mkv")])
    // Of all its connections together.
    server.when {
      $0.reduce(0) { $0 + $1.bytesSent } > 6 << 20
    } act: {
      command.signal(SIGKILL)
    }
    _ = try await command.result()
    let before = server.requests.count
    server.on("/film.mkv") { _, _ in .served }
    let result = try await tool.run([server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == large)
    let sent = server.requests.dropFirst(before).reduce(0) { $0 + $1.bytesSent }
    #expect(sent < Int64(large.count) - (1 << 20), "\(sent) of \(large.count)")
  }

  /// The film with a large Void element behind it: as long as a transfer that can be interrupted.
  private func padded(_ bytes: [UInt8]) async throws -> [UInt8] {
    let count = 20 << 20
    let size = [UInt8(0xEC), 0x08] + (0..<7).reversed().map { UInt8((count >> ($0 * 8)) & 0xFF) }
    var size8 = size
    size8[1] = 0x01
    return bytes + size8 + [UInt8](repeating: 0, count: count)
  }

  @Test("a source replaced between two attempts is never spliced", .timeLimit(.minutes(5)))
  func replaced() async throws {
    let first = try await padded(try await film())
    var second = first
    for at in stride(from: 30_000, to: second.count, by: 65_536) where at > first.count - (19 << 20)
    {
      second[at] ^= 0x55
    }
    let server = try FaultServer()
    let (a, b) = (first, second)
    server.on("/film.mkv") { request, _ in
      let start = request.header("Range").map { $0.hasPrefix("bytes=0-") } ?? true
      return .bytes(a).etag("one").cut(after: start ? 9 << 20 : 1 << 20)
    }
    let tool = try Tool()
    let failed = try await tool.run(["--retry", "1", server.url("/film.mkv")])
    #expect(failed.status == 5, "\(failed.stderr)")
    server.on("/film.mkv") { _, _ in .bytes(b).etag("two") }
    let result = try await tool.run([server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == second)
  }

  @Test("a server without ranges is fetched first and looked into then", .timeLimit(.minutes(5)))
  func withoutRanges() async throws {
    let server = try FaultServer()
    server.serve(try await film(.mp4), at: "/film.mp4")
    server.on("/film.mp4") { _, _ in .served.ignoringRange() }
    let tool = try Tool()
    let probe = try await tool.run(["probe", server.url("/film.mp4")])
    #expect(probe.status == 10, "\(probe.stderr)")
    let refused = try await tool.run(["--audio", "fr", "--require-audio", server.url("/film.mp4")])
    #expect(refused.status == 3, "\(refused.stderr)")
    #expect(try tool.leftovers() == [])
    let result = try await tool.run(["--audio", "tr", server.url("/film.mp4"), "-o", "out.mp4"])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.leftovers() == ["out.mp4"])
    #expect(
      try await Probe.streams(tool.folder.path("out.mp4"), kind: "audio").map(\.language) == ["tur"]
    )
  }

  @Test(
    "what cannot be written to is refused before a file without ranges is fetched",
    .timeLimit(.minutes(5)),
    arguments: [("-", 2, "no output to stdout"), ("mine/out.mp4", 7, "folder cannot be made")])
  func refusedEarly(output: String, status: Int32, words: String) async throws {
    let server = try FaultServer()
    server.serve(try await film(.mp4), at: "/film.mp4")
    server.on("/film.mp4") { _, _ in .served.ignoringRange() }
    let tool = try Tool()
    _ = try tool.folder.write("mine", "mine")
    let refused = try await tool.run(["--audio", "tr", server.url("/film.mp4"), "-o", output])
    #expect(refused.status == status && refused.stderr.contains(words), "\(refused.stderr)")
    #expect(!refused.stderr.contains("Domain="), "\(refused.stderr)")
    #expect(server.requests.count == 1)
    #expect(try tool.leftovers() == ["mine"])
  }

  @Test("a wrong --checksum is 8 and leaves nothing under the name", .timeLimit(.minutes(5)))
  func checksum() async throws {
    let server = try FaultServer()
    let bytes = try await film()
    server.serve(bytes, at: "/film.mkv")
    let tool = try Tool()
    let wrong = try await tool.run([
      "--checksum", "md5=00000000000000000000000000000000", server.url("/film.mkv"),
    ])
    #expect(wrong.status == 8, "\(wrong.stderr)")
    #expect(try tool.leftovers() == [])
    let sum = try await SiloTestSupport.run("md5sum", try await Film.mkv.path())
    let right = try await tool.run([
      "--checksum", "md5=\(sum.stdout.prefix(32))", server.url("/film.mkv"),
    ])
    #expect(right.status == 0, "\(right.stderr)")
  }

  @Test("a look goes on where a body was cut", .timeLimit(.minutes(5)), arguments: Film.allCases)
  func cutLook(film: Film) async throws {
    let server = try FaultServer()
    server.serve(try await self.film(film), at: "/film")
    server.on("/film") { _, _ in .served.cut(after: 20_000) }
    let tool = try Tool()
    let result = try await tool.run(["probe", "--json", "--retry", "2", server.url("/film")])
    #expect(result.status == 0, "\(result.stderr)")
    let inventory = try #require(try jsonLines(result).first)
    #expect((inventory["audio"] as? [[String: Any]])?.count == 6)
  }

  @Test(
    "the inventory costs few requests and few bytes", .timeLimit(.minutes(5)),
    arguments: Film.allCases)
  func cost(film: Film) async throws {
    let server = try FaultServer()
    let source = try await film.path()
    server.serve((source as NSString).deletingLastPathComponent)
    let tool = try Tool()
    let name = (source as NSString).lastPathComponent
    let result = try await tool.run(["probe", "--json", server.url("/\(name)")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(server.requests.count <= 4)
    #expect(server.requests.reduce(0) { $0 + $1.bytesSent } <= 1 << 20)
    let inventory = try #require(try jsonLines(result).first)
    let audio = try #require(inventory["audio"] as? [[String: Any]])
    #expect(audio.compactMap { $0["language"] as? String } == ["tr", "en", "de", "ja", "en", "en"])
    #expect(
      audio.compactMap { $0["role"] as? String }
        == ["main", "main", "main", "main", "commentary", "description"])
  }
}
