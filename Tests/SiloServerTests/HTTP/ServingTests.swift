import Foundation
import Glibc
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct Serving {
  @Test func `Methods other than GET and HEAD are refused with 405`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("a.bin", "a")
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "BREW"] {
      let answer = try await served.get("a.bin", "-X", method, "-d", "body")
      #expect(answer.status == 405)
      #expect(answer.headers["allow"] == "GET, HEAD")
    }
    await served.server.stop()
  }

  @Test func `A port that is in use, a foreign address and a missing folder are named`()
    async throws
  {
    let served = try await ServedFolder()
    let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
    let rows: [(MediaServer.Options, String)] = [
      (.init(folder: served.folder.url, port: port), "127.0.0.1:\(port): The port is in use"),
      (.init(folder: served.folder.url, host: "192.0.2.1"), "192.0.2.1:0: This machine does not"),
      (.init(folder: URL(fileURLWithPath: "/no/such")), "/no/such: There is no such folder"),
      (.init(folder: URL(fileURLWithPath: "/etc/passwd")), "/etc/passwd: This is not a folder"),
    ]
    for (options, message) in rows {
      let error = await #expect(throws: ServerError.self) {
        try await MediaServer.start(options)
      }
      #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    }
    await served.server.stop()
  }

  @Test func `It answers on IPv6 loopback, too`() async throws {
    let served = try await ServedFolder(host: "::1")
    _ = try served.folder.write("a.bin", "six")
    #expect(served.server.url.absoluteString.hasPrefix("http://[::1]:"))
    #expect(try await served.get("a.bin", "-g").text == "six")
    await served.server.stop()
  }

  @Test func `After stop the port is free, and stopping again does nothing`() async throws {
    // An address of its own: on the common one, a server of another test may get the port that becomes free.
    let host = "127.83.19.7"
    let served = try await ServedFolder(host: host)
    let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
    await served.server.stop()
    await served.server.stop()
    #expect(try await run("curl", "-s", served.url("a.bin")).status == 7)
    let again = try await MediaServer.start(
      .init(folder: served.folder.url, host: host, port: port))
    await again.stop()
  }

  @Test func `Slow readers cost neither memory nor threads, and do not hold others up`()
    async throws
  {
    // A process of its own: other tests take memory and threads of this one meanwhile.
    let folder = try TemporaryFolder()
    let path = folder.path("large.bin")
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(descriptor, 256 << 20) == 0)
    close(descriptor)
    _ = try folder.write("small.bin", "small")
    let server = try RunningCommand(
      try productPath("silo-fetch"), ["serve", folder.path, "--listen", "127.0.0.1:0"])
    let line = try await server.line { $0.hasPrefix("listening on ") }
    let url = try #require(URL(string: String(line.dropFirst("listening on ".count))))
    let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
    let small = url.appending(path: "small.bin").absoluteString
    #expect(try await run("curl", "-s", small).stdout == "small")

    let before = try usage(of: server.process)
    let slow = try await onOwnThread { _ in
      try (0..<40).map { _ in try SlowReader(port: port, path: "/large.bin") }
    }
    #expect(try await run("curl", "-s", small).stdout == "small")
    let after = try usage(of: server.process)
    #expect(slow.allSatisfy { $0.firstLine == "HTTP/1.1 200 OK" })
    #expect(after.bytes - before.bytes < 24 << 20)
    #expect(after.threads - before.threads < 8)
    server.signal(SIGKILL)
    _ = try await server.result()
  }

  /// The resident memory and the threads of a process.
  private func usage(of process: pid_t) throws -> (bytes: Int, threads: Int) {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func number(_ name: String) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
      return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
    }
    return (try number("VmRSS:") << 10, try number("Threads:"))
  }
}
