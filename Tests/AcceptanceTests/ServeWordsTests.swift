import Foundation
import SiloSystem
import SiloTestSupport
import Testing

/// Whether permissions hold for a command of this test: not for root, but for one that may not pass over them.
private let permissionsHold =
  getuid() != 0
  || system("setpriv --bounding-set=-dac_override,-dac_read_search true 2>/dev/null") == 0

/// What `serve` says when it cannot begin: what, where, what to do, and the status.
@Suite("Words of a server that cannot start")
struct ServeWordsTests {
  private let tool: Tool
  private let media: TemporaryFolder

  init() throws {
    tool = try Tool()
    media = try TemporaryFolder()
  }

  private func serve(
    _ arguments: [String], folder: String? = nil, asOwner: Bool = false
  ) async throws -> CommandResult {
    let words =
      ["serve", folder ?? media.path]
      + (arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"])
      + (arguments.contains("--data") ? [] : ["--data", tool.folder.path("state")]) + arguments
    guard asOwner, getuid() == 0 else { return try await tool.run(words) }
    return try await RunningCommand(
      "setpriv",
      ["--bounding-set=-dac_override,-dac_read_search", try productPath("silo-fetch")] + words,
      environment: tool.environment, in: tool.folder.path
    ).result(timeout: .seconds(60))
  }

  private func expect(
    _ result: CommandResult, _ status: Int32, _ words: [String],
    location: SourceLocation = #_sourceLocation
  ) {
    let text = result.stderr
    #expect(result.status == status, "\(text)", sourceLocation: location)
    #expect(
      text.hasPrefix("error: ") && text.split(separator: "\n").count == 1, "\(text)",
      sourceLocation: location)
    for word in words { #expect(text.contains(word), "\(text)", sourceLocation: location) }
    // Neither Foundation's words nor those of a programmer.
    for word in ["NSCocoa", "Domain=", "Error(", "UserInfo", "Swift", "doesn’t", "couldn’t", "nil"]
    {
      #expect(!text.contains(word), "\(text)", sourceLocation: location)
    }
  }

  @Test(
    "Data, folder, address and certificate that cannot be used are named", .timeLimit(.minutes(10)))
  func table() async throws {
    let home = tool.folder
    let file = try home.write("file", "x")
    let database = try home.write(
      "broken/server.sqlite", String(repeating: "no database ", count: 100))
    try FileManager.default.createDirectory(
      atPath: home.path("keyless/api-key"), withIntermediateDirectories: true)
    let busy = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(busy) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(busy, $0, length)
        _ = listen(busy, 1)
        _ = getsockname(busy, $0, &length)
      }
    }
    let taken = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let rows: [(arguments: [String], folder: String?, status: Int32, words: [String])] = [
      (["--data", "/proc/x"], nil, 7, ["/proc/x: No folder can be made here", "--data"]),
      (["--data", "/proc/x/y/z"], nil, 7, ["/proc/x: No folder can be made here", "--data"]),
      (["--data", "/dev/null"], nil, 7, ["/dev/null: Something else is in the way", "--data"]),
      (["--data", file + "/a"], nil, 7, ["Something else is in the way", "--data"]),
      (["--data", file], nil, 7, [file, "Something else is in the way", "--data"]),
      (["--data", home.path("broken")], nil, 7, [database, "database", "not a database"]),
      (["--data", home.path("keyless")], nil, 7, ["api-key", "in the way", "--data"]),
      (["--data", media.path("data")], nil, 7, ["in the folder that is served", "--data"]),
      ([], home.path("none"), 3, [home.path("none"), "There is no such folder"]),
      ([], file, 7, [file, "not a folder"]),
      (["--listen", taken], nil, 7, [taken, "The port is in use"]),
      (["--listen", "192.0.2.1:0"], nil, 7, ["192.0.2.1:0", "This machine does not have"]),
      (["--listen", "no.invalid:0"], nil, 7, ["no.invalid:0", "address is not known"]),
      (
        ["--tls-cert", home.path("none"), "--tls-key", file], nil, 7,
        [home.path("none"), "--tls-cert cannot be read: No such file"]
      ),
      (["--tls-cert", file, "--tls-key", file], nil, 7, [file, "no certificate in this file"]),
      (["--add-profile", "nobody/kids"], nil, 7, ["There is no account 'nobody'"]),
    ]
    for row in rows {
      expect(try await serve(row.arguments, folder: row.folder), row.status, row.words)
    }
    // Whatever was said, nothing was left where it does not belong.
    #expect(try media.names().isEmpty)
  }

  @Test(
    "What may not be read or written is named",
    .enabled(
      if: permissionsHold, "NOT TESTED: this machine has no setpriv, and the tests are root's"))
  func permissions() async throws {
    let home = tool.folder
    let file = try home.write("key.pem", "x")
    try FileManager.default.createDirectory(
      atPath: home.path("closed"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: home.path("secret"), withIntermediateDirectories: true)
    #expect(chmod(home.path("closed"), 0o500) == 0 && chmod(home.path("secret"), 0) == 0)
    #expect(chmod(file, 0) == 0)
    defer {
      chmod(home.path("closed"), 0o700)
      chmod(home.path("secret"), 0o700)
    }
    let rows: [(arguments: [String], folder: String?, words: [String])] = [
      (["--data", home.path("closed")], nil, ["closed", "may not be written here", "--data"]),
      (["--data", home.path("closed/a/b")], nil, ["closed", "may not be written here", "--data"]),
      ([], home.path("secret"), [home.path("secret"), "The folder may not be read"]),
      (
        ["--tls-cert", file, "--tls-key", file], nil,
        [file, "--tls-cert cannot be read: Permission"]
      ),
    ]
    for row in rows {
      expect(
        try await serve(row.arguments, folder: row.folder, asOwner: true), 7, row.words)
    }
  }
}
