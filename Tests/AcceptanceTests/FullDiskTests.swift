import Foundation
import SiloTestSupport
import Testing

/// Whether a mount namespace of one's own can be had here.
private let canMount = system("unshare -rm mount -t tmpfs tmpfs /mnt 2>/dev/null") == 0

/// A disk that is full: refused before the start where that can be known, else a pause, and nothing that arrived is lost.
///
/// The disk is a tmpfs in a mount namespace of the test's own, which not every machine allows: `SpacePauseTests` judge the same
/// anywhere, by calls that fail.
@Suite(
  "A full disk",
  .enabled(if: canMount, "NOT TESTED: this machine allows no mount namespace (unshare -rm)"))
struct FullDiskTests {
  /// Runs `script` in a namespace with a disk of so many MiB at `/mnt`, with the program as `$TOOL`.
  private func onDisk(
    _ tool: Tool, mebibytes: Int, options: String = "", _ script: String
  ) async throws -> CommandResult {
    let program = try productPath("silo-fetch")
    let text =
      "mount -t tmpfs -o size=\(mebibytes)m\(options) tmpfs /mnt; TOOL='\(program)'\n" + script
    return try await RunningCommand(
      "/usr/bin/unshare", ["-rm", "sh", "-c", text], environment: tool.environment,
      in: tool.folder.path
    ).result(timeout: .seconds(90))
  }

  private func server() async throws -> FaultServer {
    let server = try FaultServer()
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    server.serve(film, at: "/film.mkv")
    server.serve(film, at: "/other.mkv")
    // Of unknown length: so nothing can be refused before it starts.
    server.on("/film.mkv") { _, _ in .served.ignoringRange().chunked() }
    return server
  }

  /// Fills the disk but for half a MiB, and does something about it when the program says that it waits.
  private func script(_ url: String, whenFull: String, options: String = "") -> String {
    """
    head -c 67000000 /dev/zero > /mnt/ballast
    mkfifo events
    "$TOOL" --json \(options) '\(url)' -o /mnt/film.mkv > events & pid=$!
    while read -r line; do
      echo "$line"
      case "$line" in *'"event":"space"'*) \(whenFull) ;; esac
    done < events
    wait $pid; status=$?
    cp /mnt/film.mkv . 2>/dev/null
    ls /mnt >&2
    exit $status
    """
  }

  @Test("an item for which there is too little room waits for the next run of the queue")
  func queue() async throws {
    let tool = try Tool()
    let server = try FaultServer()
    server.serve(
      [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path()))), at: "/a.mkv")
    let result = try await onDisk(
      tool, mebibytes: 64,
      """
      head -c 67000000 /dev/zero > /mnt/ballast
      "$TOOL" add '\(server.url("/a.mkv"))' -o /mnt/a.mkv
      "$TOOL" queue run; echo "ended $?"
      "$TOOL" queue --json
      rm /mnt/ballast
      "$TOOL" queue run; echo "ended $?"
      """)
    let lines = result.lines
    #expect(lines.filter { $0.hasPrefix("ended") } == ["ended 9", "ended 0"], "\(result.stderr)")
    #expect(lines.contains { $0.contains(#""state":"waiting""#) }, "\(result.stdout)")
  }

  @Test("it says so once, waits, and goes on when there is space", .timeLimit(.minutes(5)))
  func waits() async throws {
    let tool = try Tool()
    let server = try await server()
    let result = try await onDisk(
      tool, mebibytes: 64, script(server.url("/film.mkv"), whenFull: "rm /mnt/ballast"))
    #expect(result.status == 0, "\(result.stderr)")
    let events = try jsonLines(result)
    let space = events.filter { $0["event"] as? String == "space" }
    #expect(space.count == 1)
    #expect((space.first?["message"] as? String)?.contains("disk is full") == true)
    #expect(events.filter { $0["state"] as? String == "waiting" }.count == 1)
    #expect(events.contains { $0["event"] as? String == "finished" })
    let bytes = events.compactMap {
      $0["event"] as? String == "progress" ? $0["bytes"] as? Int : nil
    }
    #expect(bytes == bytes.sorted())
    let film = try Data(contentsOf: URL(filePath: try await Film.mkv.path()))
    #expect(try tool.folder.read("film.mkv") == [UInt8](film))
  }

  @Test(
    "segments wait for space too, and none that is there is fetched again", .timeLimit(.minutes(5)))
  func segments() async throws {
    let tool = try Tool()
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    // The disk has room when it starts, and fills up before the later segments come.
    for number in 2...5 {
      server.on("/tr/seg\(number).ts") { _, _ in .served.delayed(by: .seconds(1)) }
    }
    let result = try await onDisk(
      tool, mebibytes: 64,
      """
      mkfifo events
      "$TOOL" --json --audio tr '\(server.url("/master.m3u8"))' -o /mnt/film.mkv > events & pid=$!
      while read -r line; do
        echo "$line"
        case "$line" in
          *'"state":"transferring"'*) [ -e full ] || head -c 80000000 /dev/zero > /mnt/ballast 2> full ;;
          *'"event":"space"'*) rm /mnt/ballast ;;
        esac
      done < events
      wait $pid; status=$?
      cp /mnt/film.mkv .; ls /mnt >&2
      exit $status
      """)
    #expect(result.status == 0, "\(result.stdout) \(result.stderr)")
    #expect(try jsonLines(result).filter { $0["event"] as? String == "space" }.count == 1)
    let segments = server.requests.map(\.path).filter { $0.hasPrefix("/tr/seg") }
    #expect(segments.filter { $0 == "/tr/seg0.ts" }.count == 1, "\(segments)")
    #expect(try await Probe.complaints(tool.folder.path("film.mkv")) == "")
    #expect(result.stderr == "film.mkv\n")
  }

  @Test("Ctrl-C ends the wait, and --wait-for-space 0 does not begin it", .timeLimit(.minutes(5)))
  func ends() async throws {
    var tool = try Tool()
    let server = try await server()
    let stopped = try await onDisk(
      tool, mebibytes: 64, script(server.url("/film.mkv"), whenFull: "kill -INT $pid"))
    #expect(stopped.status == 130, "\(stopped.status) \(stopped.stderr)")
    #expect(stopped.stderr.contains("film.mkv.part"))

    tool = try Tool()
    let failed = try await onDisk(
      tool, mebibytes: 64,
      script(server.url("/film.mkv"), whenFull: "", options: "--wait-for-space 0"))
    #expect(failed.status == 9, "\(failed.stderr)")
    let event = try #require(try jsonLines(failed).first { $0["event"] as? String == "failed" })
    #expect(event["code"] as? String == "space")
    #expect(failed.stderr.contains("film.mkv.part"))
    #expect(try jsonLines(failed).allSatisfy { $0["event"] as? String != "space" })
  }

  @Test(
    "what does not fit is refused with the numbers before a byte moves", .timeLimit(.minutes(5)))
  func refused() async throws {
    let tool = try Tool()
    let server = try await server()
    server.on("/film.mkv") { _, _ in .served }
    let command =
      "\"$TOOL\" '\(server.url("/film.mkv"))' -o /mnt/film.mkv; s=$?; ls /mnt >&2; exit $s"
    let refused = try await onDisk(tool, mebibytes: 1, command)
    #expect(refused.status == 9)
    #expect(
      refused.stderr.contains("1.0 MiB") && refused.stderr.contains("1.7 MiB"), "\(refused.stderr)")
    #expect(!refused.stderr.contains(".part"))
    // Two at once need twice the room: one of them waits for the other, and finds that there is too little left.
    let urls = "'\(server.url("/film.mkv"))' '\(server.url("/other.mkv"))'"
    let both = try await onDisk(
      tool, mebibytes: 3, "\"$TOOL\" --json -j 2 \(urls) -o /mnt/; s=$?; ls /mnt >&2; exit $s")
    #expect(both.status == 1, "\(both.stderr)")
    let failures = try jsonLines(both).filter { $0["event"] as? String == "failed" }
    #expect(failures.count == 1)
    #expect(failures.first?["code"] as? String == "space")
    #expect(both.stderr.split(separator: "\n").count == 1, "\(both.stderr)")
  }

  @Test("room that others need for a while is waited for", .timeLimit(.minutes(5)))
  func turns() async throws {
    let tool = try Tool()
    let server = try await server()
    for path in ["/film.mkv", "/other.mkv"] { server.on(path) { _, _ in .served } }
    // Each needs 2 MiB while it is made, and a tenth of that afterwards.
    let urls = "'\(server.url("/film.mkv"))' '\(server.url("/other.mkv"))'"
    let both = try await onDisk(
      tool, mebibytes: 3,
      "\"$TOOL\" --json -j 2 --audio tr --video worst \(urls) -o /mnt/; s=$?; ls /mnt >&2; exit $s")
    #expect(both.status == 0, "\(both.stdout) \(both.stderr)")
    #expect(both.stderr.split(separator: "\n").count == 2, "\(both.stderr)")
  }

  // The limit, in blocks of 512 bytes, leaves the thread sanitizer a file of its own (512 KiB), and not the film (1.7 MiB).
  @Test("a read-only disk and a limit on files are told apart", .timeLimit(.minutes(5)))
  func others() async throws {
    let tool = try Tool()
    let server = try await server()
    server.on("/film.mkv") { _, _ in .served }
    let readOnly = try await onDisk(
      tool, mebibytes: 64, options: ",ro",
      "exec \"$TOOL\" '\(server.url("/film.mkv"))' -o /mnt/film.mkv")
    #expect(readOnly.status == 7 && readOnly.stderr.contains("read-only"), "\(readOnly.stderr)")
    let limited = try await onDisk(
      tool, mebibytes: 64,
      "ulimit -f 2000; exec \"$TOOL\" '\(server.url("/film.mkv"))' -o /mnt/film.mkv")
    #expect(limited.status == 7 && limited.stderr.contains("ulimit -f"), "\(limited.stderr)")
  }

  @Test("a copy that did not fit leaves nothing in the way of the next", .timeLimit(.minutes(5)))
  func copies() async throws {
    let tool = try Tool()
    let film = try await Film.mkv.path()
    let result = try await onDisk(
      tool, mebibytes: 64,
      """
      (ulimit -f 2000; exec "$TOOL" '\(film)' -o /mnt/film.mkv); echo $?; ls /mnt
      "$TOOL" '\(film)' -o /mnt/film.mkv; echo $?; ls /mnt
      """)
    #expect(result.stdout == "7\n0\nfilm.mkv\n", "\(result.stdout) \(result.stderr)")
  }
}
