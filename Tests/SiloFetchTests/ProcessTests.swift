import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
  let program: String
  /// A configuration of the user who runs the tests may not change them.
  let environment: [String: String?] = [
    "XDG_CONFIG_HOME": "/nonexistent", "SILO_FETCH_JSON": nil, "NO_COLOR": nil,
  ]

  init() throws { program = try productPath("silo-fetch") }

  private func silo(_ words: [String], _ more: [String: String?] = [:]) async throws
    -> CommandResult
  {
    try await run(program, words, environment: environment.merging(more) { $1 })
  }

  static let rows: [(words: [String], status: Int32, stdout: String, stderr: String)] = [
    (["--version"], 0, "silo-fetch ", ""), (["--help"], 0, "Usage: silo-fetch ", ""),
    (["probe", "-h"], 0, "Usage: silo-fetch probe", ""),
    (["completion", "bash"], 0, "complete ", ""),
    (["help", "serve"], 0, "Usage: silo-fetch serve", ""),
    (["help", "--man"], 0, ".TH SILO\\-FETCH 1", ""),
    ([], 2, "", "get needs SOURCE"), (["--no-such"], 2, "", "there is no option '--no-such'"),
    (["prob", "x"], 2, "", "did you mean 'probe'?"), (["probe"], 2, "", "probe needs SOURCE"),
    (["probe", "silo:7"], 4, "", "Nobody is signed in"),
    (["get", "putio:7"], 10, "", "not available in this version"),
    (["get", "--json", "silo:7"], 4, #""code":"auth""#, ""),
    (["serve", "/nonexistent/folder"], 3, "", "There is no such folder"),
    (["serve", "/", "--listen", "nowhere"], 2, "", "should be HOST:PORT"),
    (["login", "127.0.0.1:80"], 2, "", "Usage: silo-fetch login"),
    (["login", "-u", "a", "--device", "http://127.0.0.1"], 2, "", "Usage: silo-fetch login"),
    (["season", "silo:7", "--from-file", "x"], 2, "", "takes one series, and no --from-file"),
  ]

  @Test(arguments: rows.indices) func `asked help is on stdout, mistakes are on stderr`(
    index: Int
  ) async throws {
    let row = Self.rows[index]
    let result = try await silo(row.words)
    #expect(result.status == row.status)
    #expect(Self.says(result.stdout, row.stdout), "\(result.stdout)")
    #expect(Self.says(result.stderr, row.stderr), "\(result.stderr)")
  }

  /// Nothing when nothing is expected.
  private static func says(_ text: String, _ expected: String) -> Bool {
    expected.isEmpty ? text.isEmpty : text.contains(expected)
  }

  @Test func `a variable of the environment counts as an option`() async throws {
    let result = try await silo(["get", "silo:7"], ["SILO_FETCH_JSON": "1"])
    #expect(result.status == 4)
    #expect(result.lines.last == #"{"event":"summary","failed":1,"finished":0,"skipped":0}"#)
  }

  @Test func `a reader that goes away ends the program without a word`() async throws {
    // The reader is gone before the program starts.
    let line = "exec 3> >(exec true); wait $!; '\(program)' help --man >&3; echo $?"
    let result = try await run("bash", ["-c", line], environment: environment)
    #expect(result.lines == ["141"])
    #expect(result.stderr.isEmpty)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal ends a run at once, whatever it waits for`(
    signal: Int32, status: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    let list = folder.path("list")
    #expect(mkfifo(list, 0o600) == 0)
    let command = try RunningCommand(
      program, ["get", "--from-file", list], environment: environment)
    // Opening succeeds when the program has opened the other end; nothing is written, so it waits in the kernel.
    let writer = try await onOwnThread { _ in open(list, O_WRONLY | O_CLOEXEC) }
    defer { close(writer) }
    let start = ContinuousClock.now
    command.signal(signal)
    let result = try await command.result()
    #expect(result.status == status)
    // The list would never come; a loaded machine takes its time for everything.
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(result.stderr.contains("the same command continues from here"))
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `serve says where it listens, and stops gracefully`(
    signal: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.txt", "bytes")
    let server = try RunningCommand(
      program,
      [
        "serve", folder.path, "--listen", "127.0.0.1:0", "--json", "-v", "--data",
        folder.path(".data"), "--add-user", "ayse", "--password-stdin",
      ], environment: environment, input: "gizli\n")
    let first = try await server.line()
    let object = try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: String]
    let url = try #require(object?["url"])
    #expect(object?["event"] == "listening" && !url.hasSuffix("/"))
    #expect(object?["api_key_file"] == folder.path(".data/api-key"))
    #expect(object?["server_id"]?.count == 36)
    let second = try await run(
      program, ["serve", folder.path, "--listen", "127.0.0.1:0", "--data", folder.path(".data")],
      environment: environment)
    #expect(second.status == 11 && second.stderr.contains("--data"))
    #expect(try await run("curl", "-s", url + "/film.txt").stdout == "bytes")
    server.signal(SIGHUP)
    #expect(try await run("curl", "-s", url + "/film.txt").stdout == "bytes")
    server.signal(signal)
    let result = try await server.result()
    #expect(result.status == 0)
    #expect(
      result.lines.dropFirst() == [
        #"{"bytes":5,"event":"request","method":"GET","path":"/film.txt","status":200}"#,
        #"{"bytes":5,"event":"request","method":"GET","path":"/film.txt","status":200}"#,
      ])
  }
}
