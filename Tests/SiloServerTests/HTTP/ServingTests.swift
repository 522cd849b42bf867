import Foundation
import Glibc
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
    let served = try await ServedFolder()
    let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
    await served.server.stop()
    await served.server.stop()
    #expect(try await run("curl", "-s", served.url("a.bin")).status == 7)
    let again = try await MediaServer.start(.init(folder: served.folder.url, port: port))
    await again.stop()
  }

  @Test func `Slow readers cost neither memory nor threads, and do not hold others up`()
    async throws
  {
    let served = try await ServedFolder()
    let path = served.folder.path("large.bin")
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(descriptor, 256 << 20) == 0)
    close(descriptor)
    _ = try served.folder.write("small.bin", "small")
    let before = Self.residentBytes
    let slow = try (0..<40).map { _ in
      try RunningCommand(
        "curl", ["-s", "--limit-rate", "1k", "-o", "/dev/null", served.url("large.bin")])
    }
    while served.log.count < slow.count { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await served.get("small.bin").text == "small")
    #expect(Self.residentBytes - before < 24 << 20)
    for client in slow { client.signal(SIGKILL) }
    for client in slow { _ = try await client.result() }
    await served.server.stop()
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}
