import Foundation
import Glibc
import SiloSystem
import SiloTestSupport
import Testing

/// A crowd of clients at one server: judged in time, so nothing else runs meanwhile.
@Suite(.timeLimit(.minutes(5))) struct ServerLoadTests {
  /// What each of three hundred clients does.
  private enum Client: Int, CaseIterable {
    /// Says nothing at all.
    case silent
    /// Says the first words of a request.
    case halfway
    /// Asks for a large file and reads nothing of it.
    case notReading
    /// Asks for a large file and reads on, slowly.
    case reading
    /// Sends bytes that are no request, and waits.
    case garbage
    /// Sends a long body, slowly.
    case uploading

    var request: String {
      switch self {
      case .silent: ""
      case .halfway: "GET /api/v1/hea"
      case .notReading, .reading: "GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n"
      case .garbage: "\u{1}\u{2}\u{3}garbage\r\n"
      case .uploading:
        "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n"
          + String(repeating: " ", count: 200_000)
      }
    }
  }

  @Test
  func
    `Three hundred clients of every kind cost little memory, and others are answered within a second`()
    async throws
  {
    let folder = try TemporaryFolder()
    let large = open(folder.path("large.bin"), O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(large, 1 << 30) == 0)
    close(large)
    let small = [UInt8](repeating: 7, count: 100_000)
    _ = try folder.write("small.bin", small)
    let server = try RunningCommand(
      try productPath("silo-fetch"),
      [
        "serve", folder.path, "--listen", "127.0.0.1:0", "--json", "--data", folder.path(".data"),
      ])
    defer { server.signal(SIGKILL) }
    let line = try await server.line()
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
    let url = try #require(listening["url"].flatMap { URL(string: $0) })
    let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
    let key = String(decoding: try folder.read(".data/api-key"), as: UTF8.self).dropLast()
    #expect(try await time(of: "/small.bin", url, String(key)) < 1)

    let before = try memory(of: server.process)
    let crowd = try await onOwnThread { _ in
      try (0..<300).map { number in
        let client = Client.allCases[number % Client.allCases.count]
        let connection = try RawConnection(port: port)
        connection.send(client.request)
        return (client, connection)
      }
    }
    let readers = crowd.filter { $0.0 == .reading }.map(\.1)
    for _ in 0..<5 {
      // Those that read slowly take a little more.
      try await onOwnThread { _ in for reader in readers { reader.hearSome() } }
      for path in ["/small.bin", "/api/v1/auth/me", "/api/v1/catalog", "/api/v1/downloads"] {
        let seconds = try await time(of: path, url, String(key))
        #expect(seconds < 1, "\(path): \(seconds) s")
      }
    }
    let grown = try memory(of: server.process) - before
    #expect(grown < 64 << 20, "\(grown >> 20) MB more")
    withExtendedLifetime(crowd) {}
    server.signal(SIGTERM)
    // It does not wait for those who never read.
    #expect(try await server.result(timeout: .seconds(20)).status == 0)
  }

  /// How long an answer takes that is right.
  private func time(of path: String, _ url: URL, _ key: String) async throws -> Double {
    let result = try await runSuccessfully(
      "curl",
      [
        "-sf", "-m", "20", "-o", "/dev/null", "-w", "%{time_total}", "-H",
        "Authorization: Bearer \(key)", url.absoluteString + path,
      ])
    return try #require(Double(result.stdout))
  }

  /// The most memory that a process ever had resident, in bytes.
  private func memory(of process: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) }) << 10
  }
}
