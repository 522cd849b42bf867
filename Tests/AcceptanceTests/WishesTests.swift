import Foundation
import SiloTestSupport
import Testing

/// What is asked for and not there: the documented fallback, or nothing written.
@Suite("Wishes that cannot be met")
struct WishesTests {
  private func serve() async throws -> FaultServer {
    let server = try FaultServer()
    server.serve(try await HLSFixture.make().folder)
    return server
  }

  @Test("--audio fr falls back with a warning and says what is missing", .timeLimit(.minutes(5)))
  func fallback() async throws {
    let server = try await serve()
    let tool = try Tool()
    let result = try await tool.run([
      "--audio", "fr", "--json", server.url("/master.m3u8"), "-o", "out.mkv",
    ])
    #expect(result.status == 0)
    let lines = try jsonLines(result)
    let selection =
      lines.compactMap { $0["selection"] as? [String: Any] }.first
      ?? lines.first { $0["event"] as? String == "selected" }
    #expect(selection?["missing"] as? [String] == ["fr"])
    #expect(selection?["fallback"] as? Bool == true)
    #expect(lines.last?["event"] as? String == "summary")
    let audio = try await Probe.streams(tool.folder.path("out.mkv"), kind: "audio")
    #expect(audio.map(\.language) == ["tur"])

    let told = try await Tool().run(["--audio", "fr", server.url("/master.m3u8"), "-o", "b.mkv"])
    #expect(told.status == 0 && told.stderr.contains("fr"))
  }

  @Test("--require-audio refuses with 3 and writes nothing", .timeLimit(.minutes(5)))
  func required() async throws {
    let server = try await serve()
    let tool = try Tool()
    for command in [["get"], ["probe"]] {
      let output = command == ["get"] ? ["-o", "out.mkv"] : []
      let result = try await tool.run(
        command + ["--audio", "tr,fr", "--require-audio", server.url("/master.m3u8")] + output)
      #expect(result.status == 3, "\(result.stderr)")
      #expect(result.stderr.contains("fr"))
    }
    #expect(try tool.leftovers() == [])
  }

  @Test(
    "--max-size below the estimate refuses with 9 and shows what would fit", .timeLimit(.minutes(5))
  )
  func budget() async throws {
    let server = try await serve()
    let tool = try Tool()
    let result = try await tool.run([
      "--audio", "tr,en,de", "--max-size", "100K", server.url("/master.m3u8"), "-o", "out.mkv",
    ])
    #expect(result.status == 9, "\(result.stderr)")
    #expect(result.stderr.contains("a0"), "\(result.stderr)")
    #expect(try tool.leftovers() == [])
  }
}
