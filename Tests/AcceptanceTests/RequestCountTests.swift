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
}
