import Foundation
import SiloTestSupport
import Testing

/// What the README shows is what is there.
@Suite("README")
struct ReadmeTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("the library example is the compiled sample, whole")
  func example() throws {
    let readme = try text("README.md")
    let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
    let code = try #require(block.components(separatedBy: "```").first)
    #expect(try text("Samples/list-the-tracks/ListTheTracks.swift") == code)
    #expect(code.split(separator: "\n").count <= 12)
  }

  @Test("the README is under 150 lines and its links lead somewhere")
  func links() throws {
    let readme = try text("README.md")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    for part in readme.components(separatedBy: "](").dropFirst() {
      let target = String(part.prefix { $0 != ")" })
      #expect(
        FileManager.default.fileExists(atPath: root.appending(path: target).path), "\(target)")
    }
  }

  @Test("the samples run", .timeLimit(.minutes(5)))
  func samples() async throws {
    let film = try await Film.mkv.path()
    let listed = try await SiloTestSupport.run(try productPath("list-the-tracks"), film)
    #expect(listed.status == 0 && listed.lines.count == 6, "\(listed.stderr)")
    #expect(listed.lines.first == "a0 tr aac")
    let folder = try TemporaryFolder()
    // What goes wrong is a sentence, not a trap.
    for arguments in [[], [folder.path("none.mkv")]] {
      let failed = try await SiloTestSupport.run(
        try productPath("list-the-tracks"), arguments, in: folder.path)
      #expect(failed.status == 0 && failed.stdout.contains("none.mkv") == !arguments.isEmpty)
      #expect(failed.stdout.contains(".mkv"), "\(failed.stderr)")
    }
    let none = try await SiloTestSupport.run(
      try productPath("choose-and-package"), [folder.path("none.mkv"), folder.path("out.mp4")])
    #expect(none.status == 1 && none.stdout.contains("none.mkv"), "\(none.stderr)")
    let packaged = try await SiloTestSupport.run(
      try productPath("choose-and-package"), [film, folder.path("out.mp4")],
      environment: ["SILO_FETCH_HOME": folder.path("home")])
    #expect(packaged.status == 0, "\(packaged.stderr)")
    let audio = try await Probe.streams(folder.path("out.mp4"), kind: "audio")
    #expect(audio.map(\.language) == ["tur", "eng"])
  }
}
