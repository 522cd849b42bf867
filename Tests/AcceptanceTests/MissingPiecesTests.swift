import Foundation
import SiloTestSupport
import Testing

/// Promise 5, no false finish: a piece that cannot be had is an error that names it.
@Suite("Missing pieces")
struct MissingPiecesTests {
  @Test(
    "a segment answered 404 fails the download, names it, and a rerun finishes",
    .timeLimit(.minutes(5)))
  func notFound() async throws {
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    server.on("/tr/seg3.ts") { _, n in n <= 1 ? .status(404) : .served }
    let tool = try Tool()
    let arguments = ["--audio", "tr,en", "--json", server.url("/master.m3u8"), "-o", "out.mkv"]
    let failed = try await tool.run(arguments)
    #expect([3, 8].contains(failed.status), "\(failed.stderr)")
    let event = try #require(try jsonLines(failed).first { $0["event"] as? String == "failed" })
    let message = try #require(event["message"] as? String)
    #expect(message.contains("12") && message.contains("16"), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.path("out.mkv")))

    let before = server.requests.count
    let again = try await tool.run(arguments)
    #expect(again.status == 0, "\(again.stderr)")
    let asked = server.requests.dropFirst(before).map(\.path).filter { $0.hasSuffix(".ts") }
    #expect(asked.contains("/tr/seg3.ts"))
    #expect(asked.count < 8, "\(asked)")
    #expect(try await Probe.streams(tool.folder.path("out.mkv"), kind: "audio").count == 2)
  }

  @Test(
    "a body cut short is retried, then fails likewise", .timeLimit(.minutes(5)),
    arguments: [true, false])
  func cut(withLength: Bool) async throws {
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    let cut = FaultAnswer.served.cut(after: 7000)
    server.on("/video-high/seg2.ts") { _, n in
      n > 1 ? .served : withLength ? cut : cut.withoutLength()
    }
    let tool = try Tool()
    let arguments = ["--audio", "tr", server.url("/master.m3u8"), "-o", "out.mkv", "--retry", "2"]
    let result = try await tool.run(arguments)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(server.requests(for: "/video-high/seg2.ts").count == 2)

    server.on("/video-high/seg2.ts") { _, _ in withLength ? cut : cut.withoutLength() }
    let other = try Tool()
    let failed = try await other.run(arguments)
    #expect([5, 8].contains(failed.status), "\(failed.status) \(failed.stderr)")
    #expect(failed.stderr.contains("8"), "\(failed.stderr)")
    #expect(!FileManager.default.fileExists(atPath: other.folder.path("out.mkv")))
  }

  @Test("a segment that holds nothing of a track is a hole, not a success", .timeLimit(.minutes(5)))
  func hollow() async throws {
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    // Null packets: as long as a segment, aligned, and empty.
    let null = [UInt8(0x47), 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    let hollow = Array(repeatElement(null, count: 200).joined())
    server.on("/tr/seg2.ts") { _, _ in .bytes(hollow) }
    let tool = try Tool()
    let arguments = ["--audio", "tr", server.url("/master.m3u8"), "-o", "out.mkv"]
    let failed = try await tool.run(arguments)
    #expect(failed.status == 8, "\(failed.stderr)")
    #expect(failed.stderr.contains("8") && failed.stderr.contains("12"), "\(failed.stderr)")
    #expect(try tool.leftovers() == [])
    server.on("/tr/seg2.ts") { _, _ in .served }
    #expect(try await tool.run(arguments).status == 0)
  }

  @Test("a page with status 200 in place of a segment is refused", .timeLimit(.minutes(5)))
  func page() async throws {
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    server.on("/tr/seg1.ts") { _, _ in .text("<html><body>gone</body></html>", type: "video/mp2t") }
    let tool = try Tool()
    let result = try await tool.run([
      "--audio", "tr", server.url("/master.m3u8"), "-o", "out.mkv", "--retry", "1",
    ])
    #expect(result.status == 8, "\(result.stderr)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.path("out.mkv")))
  }
}
