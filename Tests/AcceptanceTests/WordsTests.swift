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
