import Foundation
import SiloTestSupport
import Testing

/// What a person is told, and what the project's own scripts install and show.
@Suite("Words", .timeLimit(.minutes(5)))
struct WordsTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  @Test("a server that fails for a while is told of, during the look and during the transfer")
  func retries() async throws {
    let tool = try Tool()
    let film = try await Film.padded(by: 1)
    let server = try FaultServer()
    server.serve(film, at: "/film.mkv")
    server.on("/film.mkv") { request, n in
      n == 1 ? .status(503) : n == 3 ? .served.cut(after: 100_000) : .served
    }
    let result = try await tool.run([server.url("/film.mkv?token=1"), "-o", "out.mkv", "-c", "1"])
    #expect(result.status == 0, "\(result.stderr)")
    let lines = result.stderr.split(separator: "\n").filter { $0.hasPrefix("retrying in 0.") }
    #expect(lines.count == 2, "\(result.stderr)")
    #expect(lines.first?.contains("(2 of 10)") == true && lines.first?.contains("503") == true)
    #expect(!result.stderr.contains("token"))
  }

  @Test("with --overwrite one source of a run does not replace what another has finished")
  func overwriting() async throws {
    let tool = try Tool()
    let film = try await Film.padded(by: 1)
    let server = try FaultServer()
    server.serve(film, at: "/a/film.mkv")
    server.serve(film + [0xEC, 0x81, 0], at: "/b/film.mkv")
    let arguments = [
      server.url("/a/film.mkv"), server.url("/b/film.mkv"), "-j", "1", "--overwrite",
    ]
    for _ in 1...2 {
      let result = try await tool.run(arguments)
      #expect(result.status == 1 && result.stderr.contains("two sources of this run"))
      #expect(try tool.folder.read("film.mkv") == film)
      #expect(try tool.leftovers() == ["film.mkv"])
    }
  }

  @Test("what an unfinished download left is told when another choice begins, and kept")
  func leftovers() async throws {
    let tool = try Tool()
    let film = try await Film.padded(by: 4 << 20)
    let server = try FaultServer()
    let url = server.url("/film.mkv?token=1")
    func interrupt(_ arguments: [String]) async throws -> CommandResult {
      server.on("/film.mkv") { request, _ in
        request.header("Range") == "bytes=0-393215"
          || request.header("Range") == "bytes=0-1023"
          ? .bytes(film).etag("one") : .bytes(film).etag("one").cut(after: 500_000)
      }
      return try await tool.run(arguments + [url, "-c", "1", "--retry", "1"])
    }
    #expect(try await interrupt(["-o", "a.mkv"]).status == 5)
    let again = try await interrupt(["-o", "a.mkv"])
    #expect(again.status == 5 && !again.stderr.contains("to remove it"), "\(again.stderr)")
    let other = try await interrupt(["-o", "b.mkv", "--audio", "en"])
    let lines = other.stderr.split(separator: "\n").filter { $0.contains("to remove it: rm -r '") }
    #expect(other.status == 5 && lines.count == 1, "\(other.stderr)")
    #expect(lines.first?.contains(tool.folder.path("a.mkv.part") + " (") == true)
    server.on("/film.mkv") { _, _ in .bytes(film).etag("one") }
    // All of it under the name under which some of it was wanted: that download is left too.
    let whole = try await tool.run([url, "-o", "b.mkv"])
    #expect(
      whole.status == 0 && whole.stderr.contains(tool.folder.path("b.mkv.source.part") + " ("))
    #expect(whole.stderr.components(separatedBy: "to remove it").count == 3, "\(whole.stderr)")
    let left = try tool.leftovers()
    #expect(left.contains("a.mkv.part") && left.contains("b.mkv.source.part"), "\(left)")
    let last = try await tool.run([url, "-o", "a.mkv"])
    #expect(last.status == 0 && !last.stderr.contains("a.mkv.part ("), "\(last.stderr)")
    #expect(try tool.folder.read("a.mkv") == film)
  }

  @Test("a file that becomes one of another name is not told to be left over while it is fetched")
  func ownFile() async throws {
    let tool = try Tool()
    let server = try FaultServer()
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    server.on("/film.mkv") { _, _ in .bytes(film).ignoringRange() }
    let result = try await tool.run([
      server.url("/film.mkv"), "--audio", "tr,en", "--container", "mp4", "-o", "new/",
    ])
    #expect(result.status == 0 && !result.stderr.contains("to remove it"), "\(result.stderr)")
    #expect(tool.bytes("new/film.mp4") != nil)
  }

  @Test("make install puts program, manual page and completions below DESTDIR and PREFIX")
  func install() async throws {
    let result = try await run(
      "make", ["-n", "install", "DESTDIR=/packed", "PREFIX=/opt/silo"], in: root)
    #expect(result.status == 0, "\(result.stderr)")
    let install = result.lines.filter { $0.contains("/packed/opt/silo/") }.joined(separator: "\n")
    for file in [
      "bin/silo-fetch", "help --man > /packed/opt/silo/share/man/man1/silo-fetch.1",
      "share/bash-completion/completions/silo-fetch", "share/zsh/site-functions/_silo-fetch",
      "share/fish/vendor_completions.d/silo-fetch.fish",
    ] {
      #expect(install.contains(file), "\(file)")
    }
    #expect(install.contains("/packed/opt/silo/share/man/man1 "))
  }

  @Test("the demo shows commands that can be pasted")
  func demo() async throws {
    let script =
      "eval \"$(grep '^show()' Scripts/demo)\"; bin=true; show -o '/out/Four Languages.mkv'"
    let result = try await run("bash", ["-c", script], in: root)
    #expect(result.stdout.contains("silo-fetch -o /out/Four\\ Languages.mkv"), "\(result.stdout)")
  }
}
