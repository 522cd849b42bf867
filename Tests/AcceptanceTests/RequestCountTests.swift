import Foundation
import SiloTestSupport
import Testing

/// Promise 1 has a price, and it is small: the look into a presentation costs no request twice.
@Suite("Requests")
struct RequestCountTests {
  @Test("an HLS download asks for each thing once", arguments: [HLSRecipe(.ts), HLSRecipe(.fmp4)])
  func once(_ recipe: HLSRecipe) async throws {
    let hls = try await HLSFixture.make(recipe)
    let server = try FaultServer()
    server.serve(hls.folder)
    let tool = try Tool()
    let result = try await tool.run(["--audio", "all", "-o", "out.mkv", server.url("/master.m3u8")])
    try #require(result.status == 0, "\(result.stderr)")
    let counts = Dictionary(server.requests.map { ($0.path, 1) }, uniquingKeysWith: +)
    #expect(counts.count > 10)
    #expect(counts.filter { $0.value > 1 }.isEmpty)
  }

  /// A film as a program writes it, and what a look into it over the web may cost.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let requests: Int
    /// The most bytes beside the index, where that is at one end.
    let byteCount: Int64
    /// Whether another program's look needs more requests, as many, or fewer.
    let isCheaper: Bool

    var testDescription: String { name }
  }

  @Test(
    "a look into a file costs few requests of one connection",
    arguments: [
      Row(name: "short-front.mp4", requests: 1, byteCount: 384 << 10, isCheaper: true),
      Row(name: "short-end.mp4", requests: 2, byteCount: 512 << 10, isCheaper: true),
      // An index longer than the first request: its rest is asked for rather than the connection given up.
      Row(name: "long-front.mp4", requests: 2, byteCount: 512 << 10, isCheaper: false),
      Row(name: "long-end.mp4", requests: 2, byteCount: 512 << 10, isCheaper: true),
      Row(name: "fragments.mp4", requests: 3, byteCount: 512 << 10, isCheaper: true),
      Row(name: "plain.mkv", requests: 1, byteCount: 384 << 10, isCheaper: true),
      Row(name: "tagged.mkv", requests: 2, byteCount: 768 << 10, isCheaper: true),
    ])
  func look(_ row: Row) async throws {
    let films = try await ProbedFilms.folder()
    let server = try FaultServer()
    server.serve(films.path)
    let result = try await Tool().run(["probe", "--json", server.url("/\(row.name)")])
    try #require(result.status == 0, "\(result.stderr)")
    let ours = server.requests
    #expect(ours.count == row.requests)
    let index = try ProbedFilms.indexByteCount(films.path(row.name))
    #expect(ours.reduce(0) { $0 + $1.bytesSent } <= row.byteCount + index)
    #expect(server.connectionCount == 1)
    guard row.isCheaper else { return }
    server.forgetRequests()
    try await runSuccessfully(
      "ffprobe", ["-v", "error", "-show_streams", server.url("/\(row.name)")])
    #expect(ours.count <= server.requests.count)
  }
}

/// Films of two and of twelve minutes with three languages, as programs write them.
private enum ProbedFilms {
  private static let making = Task {
    let folder = try TemporaryFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=s=320x180:r=24:d=10 -f lavfi -i sine=440:d=10:r=48000 -f lavfi "
        + "-i sine=880:d=10:r=48000 -f lavfi -i sine=550:d=10:r=48000 -map 0 -map 1 -map 2 -map 3 "
        + "-c:v libx264 -preset ultrafast -b:v 1500k -c:a aac -b:a 96k -metadata:s:a:0 language=eng "
        + "-metadata:s:a:1 language=tur -metadata:s:a:2 language=jpn part.mkv", in: folder.path)
    let short = "-stream_loop 11 -i part.mkv -map 0 -c copy "
    let long = "-stream_loop 119 -i part.mkv -map 0 -c copy "
    for rest in [
      short + "-movflags +faststart short-front.mp4", short + "short-end.mp4",
      long + "-movflags +faststart long-front.mp4", long + "long-end.mp4",
      short + "-movflags +frag_keyframe+empty_moov+delay_moov fragments.mp4", short + "plain.mkv",
    ] {
      try await Media.make(rest, in: folder.path)
    }
    try await runSuccessfully(
      "mkvmerge", ["-q", "-o", "tagged.mkv", "plain.mkv"], in: folder.path)
    return folder
  }

  static func folder() async throws -> TemporaryFolder { try await making.value }

  /// The bytes of the `moov` box; 0 for Matroska.
  static func indexByteCount(_ path: String) throws -> Int64 {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var offset: UInt64 = 0
    while true {
      try file.seek(toOffset: offset)
      guard let head = try file.read(upToCount: 16), head.count == 16 else { return 0 }
      let short = head.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let size = short == 1 ? head.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : short
      if head.dropFirst(4).prefix(4) == Data("moov".utf8) { return Int64(size) }
      guard size >= 8, !head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return 0 }
      offset += size
    }
  }
}
