import Foundation
import SiloTestSupport
import Testing

/// The database of the queue on a disk that failed while its log was begun.
@Suite("A state whose disk fails")
struct StateFaultTests {
  @Test(
    "a log without a frame, and no index for it: the disk is named, nothing is tried for seconds, and nothing is lost",
    arguments: [
      (EIO, Int32(7), "Input/output error"), (EROFS, 7, "Read-only file system"),
      (ENOSPC, 9, "full"),
    ])
  func logWithoutFrames(_ number: Int32, _ status: Int32, _ words: String) async throws {
    let tool = try Tool()
    try await tool.run(["add", "http://127.0.0.1:9/film.mkv"])
    // A header of a log as SQLite writes it first; what it says of its frames does not matter where there are none.
    try tool.folder.write(
      "home/state.sqlite-wal", [0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 7, count: 28))
    // The index of somebody who was killed: it can be read, and belongs to nobody.
    try tool.folder.write("home/state.sqlite-shm", [UInt8](repeating: 0, count: 32_768))
    let outside = try TemporaryFolder()
    let fault = SystemFault(at: 1, .error(number), times: nil, of: [.open])
    let variables = try fault.environment(below: tool.folder.path, log: outside.path("calls"))

    let failing = try await tool.start(["queue", "list"], variables).result()
    #expect(failing.status == status, "\(failing.stderr)")
    #expect(failing.stderr.contains(words), "\(failing.stderr)")

    let list = try await tool.run(["queue", "list", "--json"])
    #expect(list.status == 0 && list.stdout.contains("film.mkv"), "\(list.stderr)")
  }
}
