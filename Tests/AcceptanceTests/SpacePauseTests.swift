import Foundation
import SiloTestSupport
import Testing

/// What a transfer does when a call of the system says that there is no room, on any machine.
@Suite("A call that finds no room")
struct SpacePauseTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    var kind: SystemFault.Kind
    var errno: Int32
    /// How many calls fail; `nil` for all from there on.
    var times: Int?
    var status: Int32
    /// How often the program says that it waits.
    var pauses: Int
    /// What its last words hold.
    var text = ""

    var testDescription: String { "\(kind) \(errno) \(times.map { "\($0) times" } ?? "for good")" }
  }

  /// Some calls in a row, of the program's own: when SQLite makes its calls differs from run to run.
  private static let cases = [
    Case(kind: .write, errno: ENOSPC, times: 4, status: 0, pauses: 1),
    Case(kind: .write, errno: EDQUOT, times: 4, status: 0, pauses: 1),
    Case(kind: .write, errno: ENOSPC, times: nil, status: 9, pauses: 1, text: "disk is full"),
    Case(kind: .write, errno: EDQUOT, times: nil, status: 9, pauses: 1, text: "quota"),
    Case(kind: .write, errno: EFBIG, times: nil, status: 7, pauses: 0, text: "ulimit -f"),
    Case(kind: .write, errno: EROFS, times: nil, status: 7, pauses: 0, text: "read-only"),
    // Room that cannot be reserved ahead is only a matter of speed; that there is none is told before a byte is written.
    Case(kind: .allocate, errno: EOPNOTSUPP, times: nil, status: 0, pauses: 0),
    Case(kind: .allocate, errno: ENOSPC, times: 1, status: 0, pauses: 1),
  ]

  @Test(
    "it waits for what may pass, once and not for ever, and a rerun finishes the file",
    .timeLimit(.minutes(5)), arguments: cases)
  private func pauses(_ row: Case) async throws {
    let server = try FaultServer()
    let bytes = try await Film.padded(by: 9 << 20)
    server.serve(bytes, at: "/film.mkv")
    let arguments = ["--json", "-c", "1", "--wait-for-space", "8", server.url("/film.mkv")]
    let outside = try TemporaryFolder()
    // Where the writes of the file itself are among those of a straight run.
    let straight = try Tool()
    let log = outside.path("straight")
    let counting = try SystemFault.counting(
      [row.kind], by: [.program], below: straight.folder.path, log: log)
    _ = try await straight.start(arguments, counting).result()
    let numbers = try CountedCall.list(in: log).enumerated()
      .filter { $1.path.hasSuffix("film.mkv.part") && !$1.name.contains("truncate") }.map(\.offset)
    let number = try #require(numbers.dropFirst(numbers.count / 2).first) + 1

    let tool = try Tool()
    let fault = SystemFault(
      at: number, .error(row.errno), times: row.times, of: [row.kind], by: [.program])
    let variables = try fault.environment(below: tool.folder.path, log: outside.path("calls"))
    let result = try await tool.start(arguments, variables).result()
    #expect(result.status == row.status, "\(result.stdout) \(result.stderr)")
    let events = try jsonLines(result)
    #expect(events.filter { $0["event"] as? String == "space" }.count == row.pauses)
    #expect(events.filter { $0["state"] as? String == "waiting" }.count == row.pauses)
    let failed = events.first { $0["event"] as? String == "failed" }
    let message = failed?["message"] as? String ?? ""
    #expect(row.text.isEmpty || message.contains(row.text), "\(message)")
    let progress = events.compactMap {
      $0["event"] as? String == "progress" ? $0["bytes"] as? Int : nil
    }
    #expect(progress == progress.sorted())
    if row.status != 0 { #expect(try tool.leftovers().contains("film.mkv.part")) }
    // It also moves a note that the file is finished to where it belongs.
    #expect(try await tool.run(arguments).status == 0)
    #expect(try tool.folder.read("film.mkv") == bytes)
    let left = try tool.leftovers()
    #expect(left == ["film.mkv"])
  }
}
