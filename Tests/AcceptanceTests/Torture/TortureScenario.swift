import Foundation
import SiloTestSupport
import Testing

/// A download that is made again and again under faults.
struct TortureScenario {
  enum Kind: String, CaseIterable, Sendable {
    case plainFile, plainFileInParallel, plainFileResumed, replacedFile, cutFile, localFile
    case presentation, presentationAsMP4, presentationResumed, presentationGivingBack

    /// Those with the most calls of their own.
    var hasManyCalls: Bool { [.plainFile, .plainFileInParallel, .presentation].contains(self) }
  }

  static let name = "out"
  let kind: Kind
  let server: FaultServer
  let arguments: [String]
  /// The name of the file.
  let output: String
  /// The file of a run without faults.
  var expected: [UInt8] = []
  /// What lies in the folder before; `nil` for nothing.
  var before: TemporaryFolder?

  static func make(_ kind: Kind) async throws -> TortureScenario {
    let server = try FaultServer()
    var scenario: TortureScenario
    switch kind {
    case .plainFile, .plainFileResumed, .plainFileInParallel:
      // Long enough for a mark in the middle.
      server.serve(try await Film.padded(by: 2_700_000), at: "/film.mkv")
      let isParallel = kind == .plainFileInParallel
      // Where one connection brings everything in a moment, there is never a second.
      if isParallel {
        server.on("/film.mkv") { _, _ in .served.dripping(32_768, every: .milliseconds(10)) }
      }
      scenario = TortureScenario(
        kind, server, ["-c", isParallel ? "4" : "1", server.url("/film.mkv")], "out.mkv")
    case .replacedFile, .cutFile:
      server.serve(
        [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening()))), at: "/film.mkv")
      let more = kind == .cutFile ? ["--audio", "tr"] : []
      scenario = TortureScenario(kind, server, more + [server.url("/film.mkv")], "out.mkv")
    case .localFile:
      scenario = TortureScenario(kind, server, [try await Film.opening()], "out.mkv")
    case .presentation, .presentationResumed, .presentationGivingBack:
      try await serve(.ts, from: server)
      scenario = TortureScenario(
        kind, server, ["--audio", "tr,en", server.url("/master.m3u8")], "out.mkv")
    case .presentationAsMP4:
      try await serve(.fmp4, from: server)
      scenario = TortureScenario(
        kind, server, ["--audio", "tr,en", server.url("/master.m3u8")], "out.mp4")
    }
    try await scenario.prepare()
    return scenario
  }

  private init(_ kind: Kind, _ server: FaultServer, _ arguments: [String], _ output: String) {
    (self.kind, self.server, self.output) = (kind, server, output)
    self.arguments = ["-o", output] + arguments + (kind == .replacedFile ? ["--overwrite"] : [])
  }

  /// Three segments of each rendition: each of them is written in the same way.
  private static func serve(_ form: HLSRecipe.Form, from server: FaultServer) async throws {
    let hls = try await HLSFixture.make(HLSRecipe(form))
    server.serve(hls.folder)
    for name in ["video", "video-high", "tr", "en"] {
      let text = try String(contentsOfFile: "\(hls.folder)/\(name)/index.m3u8", encoding: .utf8)
      let lines = text.split(separator: "\n")
      let ends = lines.indices.filter { !lines[$0].hasPrefix("#") }
      let short = lines[...ends[2]].joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
      server.serve(Array(short.utf8), at: "/\(name)/index.m3u8")
    }
  }

  /// Makes the file once, and what a run before left behind.
  private mutating func prepare() async throws {
    let tool = try Tool()
    let straight = try await tool.start(arguments, roominess()).result()
    try #require(straight.status == 0, "\(straight.stderr)")
    expected = try tool.folder.read(output)
    switch kind {
    case .replacedFile: before = tool.folder
    case .plainFileResumed, .presentationResumed:
      let calls = try await count()
      let killed = try Tool()
      let fault = SystemFault(at: calls.count * 3 / 5, .killBefore)
      let variables = try fault.environment(
        below: killed.folder.path, log: tool.folder.path("calls"))
      _ = try await killed.start(arguments, variables).result()
      let left = try killed.leftovers()
      try #require(left.contains(output + ".part.lock") && !left.contains(output), "\(left)")
      before = killed.folder
    default: break
    }
  }

  /// With little room on the disk, as seen from the program, spools give back what was written.
  func roominess() throws -> [String: String?] {
    kind == .presentationGivingBack ? try SystemFault.telling(freeByteCount: 16 << 20) : [:]
  }

  /// A command with a folder as it is before.
  func tool() throws -> Tool {
    let tool = try Tool()
    guard let before else { return tool }
    for name in try FileManager.default.contentsOfDirectory(atPath: before.path) {
      try FileManager.default.copyItem(
        atPath: before.path(name), toPath: tool.folder.path(name))
    }
    return tool
  }

  /// The calls of a run without faults.
  func count() async throws -> [CountedCall] {
    let tool = try tool()
    let outside = try TemporaryFolder()
    let variables = try SystemFault.counting(below: tool.folder.path, log: outside.path("calls"))
    let result = try await tool.start(arguments, roominess().merging(variables) { $1 }).result()
    try #require(result.status == 0, "\(result.stderr)")
    try #require(try tool.leftovers() == [output])
    if kind == .plainFileInParallel { #expect(server.mostConnections > 1) }
    return try CountedCall.list(in: outside.path("calls"))
  }
}
