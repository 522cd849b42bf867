import Foundation
import SiloTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignInProcessTests {
  private let server: FaultServer
  private let folder: TemporaryFolder

  init() throws {
    server = try FaultServer()
    folder = try TemporaryFolder()
    server.on("/api/v1/auth/login") { request, _ in
      request.text.contains(#""password":"pass word""#)
        ? .json(#"{"access_token":"secret-a","refresh_token":"secret-r","expires_in":60}"#)
        : .json(#"{"error":"invalid_credentials"}"#, status: 401)
    }
    server.on("/api/v1/auth/me") { request, _ in
      request.header("Authorization") == "Bearer sa_wrong"
        ? .json(#"{"error":"unauthorized"}"#, status: 401)
        : .json(#"{"id":1,"username":"ada"}"#)
    }
    server.on("/api/v1/auth/logout") { _, _ in .json("", status: 204) }
    server.on("/api/v1/profiles") { _, _ in
      .json(#"{"profiles":[{"id":"1","name":"Ada","allowed_library_ids":[]}]}"#)
    }
    server.on("/api/v1/downloads/capability") { _, _ in
      .json(#"{"enabled":true,"download_allowed":true,"quality_presets":["original"]}"#)
    }
  }

  private func silo(_ words: String..., input: String = "") async throws -> CommandResult {
    try await run(
      try productPath("silo-fetch"), words,
      environment: ["XDG_CONFIG_HOME": folder.path, "NO_COLOR": "1"], input: input)
  }

  @Test func `somebody signs in, is signed in, and signs out, and no secret is said`() async throws
  {
    #expect(try await silo("status").status == 4)
    let login = try await silo(
      "login", server.url("/"), "-u", "ada", "--password-stdin", "-v", input: "pass word\n")
    #expect(login.status == 0, "\(login.stderr)")
    #expect(login.stdout.contains("as ada (profile Ada)"))
    let status = try await silo("status", "--json")
    #expect(
      status.stdout == #"{"profile":"Ada","url":"\#(server.url().dropLast())","username":"ada"}"#
        + "\n")
    let logout = try await silo("logout")
    #expect(logout.status == 0)
    #expect(server.requests(for: "/api/v1/auth/logout").count == 1)
    #expect(try await silo("status").status == 4)
    for text in [login.stdout, login.stderr, status.stdout, logout.stdout, logout.stderr] {
      #expect(!text.contains("secret-") && !text.contains("pass word"))
    }
    // The sign-in is gone from the disk, too.
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for file in files {
      let text = (try? String(contentsOfFile: folder.path(file), encoding: .utf8)) ?? ""
      #expect(!text.contains("secret-"), "\(file)")
    }
  }

  @Test func `what cannot be a sign-in says why`() async throws {
    let rows: [(words: [String], input: String, status: Int32, says: String)] = [
      (["-u", "ada", "--password-stdin"], "wrong\n", 4, "Name or password is wrong"),
      (["-u", "ada", "--password-stdin"], "", 2, "line 1 is missing or empty"),
      (["--api-key-stdin"], "sa_wrong\n", 4, "does not know this key"),
      (["--password-stdin"], "x\n", 2, "wants --username"),
      (["--device", "--api-key-stdin"], "x\n", 2, "exclude each other"),
      ([], "", 4, "Nobody is signed in there"),
    ]
    for row in rows {
      let result = try await run(
        try productPath("silo-fetch"), ["login", server.url("/")] + row.words,
        environment: ["XDG_CONFIG_HOME": folder.path], input: row.input)
      #expect(result.status == row.status, "\(row.words) \(result.stderr)")
      #expect(result.stderr.contains(row.says), "\(row.words) \(result.stderr)")
    }
    let dead = try await silo(
      "login", "http://127.83.0.9:1", "--api-key-stdin", "--retry", "2", input: "key\n")
    #expect(dead.status == 5 && dead.stderr.contains("retrying in "), "\(dead.stderr)")
    let foreign = try await silo("login", "ftp://nowhere")
    #expect(foreign.status == 2 && foreign.stderr.contains("looks like https://"))
  }

  /// Types `keys` on a terminal of its own once the password is asked for; its output, then the settings it leaves.
  private func typing(_ keys: String) async throws -> CommandResult {
    let script = #"""
      cd "$1" && rm -f keys said && mkfifo keys
      script -qefc 'stty -a > before; "$2" login "$3" -u ada; echo "ended with $?"; stty -a > after' said < keys > /dev/null &
      exec 3> keys
      until grep -q 'Password of ada' said; do sleep 0.05; done
      printf '%b' "$4" >&3
      wait $!
      cmp before after && cat said
      """#
    let program = try productPath("silo-fetch")
    return try await run(
      "sh",
      [
        "-c", script.replacing(#""$2" login "$3""#, with: "\(program) login \(server.url("/"))"),
        "sh", folder.path, program, server.url("/"), keys,
      ],
      environment: ["XDG_CONFIG_HOME": folder.path, "NO_COLOR": "1"])
  }

  @Test func `A password is typed unseen, and Ctrl-C at its prompt is Ctrl-C`() async throws {
    let stopped = try await typing("half a pa\\003")
    #expect(stopped.stdout.contains("ended with 130"), "\(stopped.stdout) \(stopped.stderr)")
    let login = try await typing("pass word\\n")
    #expect(login.stdout.contains("ended with 0"), "\(login.stdout) \(login.stderr)")
    #expect(!login.stdout.contains("pass word"))
  }
}
