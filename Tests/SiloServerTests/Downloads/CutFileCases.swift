import Foundation
import Glibc
import SiloTestSupport
import Testing

@testable import SiloServer

/// A file that is no more what it was when the answer began.
struct CutFileCases {
  /// What happens to the file, and whether what was in it may still come.
  private static let changes: [(name: String, change: @Sendable (_ path: String) -> Void)] = [
    ("cut", { #expect(truncate($0, 4096) == 0) }),
    (
      "replaced",
      { path in
        #expect(FileManager.default.createFile(atPath: path + ".new", contents: Data(count: 64)))
        #expect(rename(path + ".new", path) == 0)
      }
    ),
    ("removed", { #expect(unlink($0) == 0) }),
    (
      "overwritten in place",
      { path in
        let descriptor = Glibc.open(path, O_WRONLY)
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<64 { #expect(write(descriptor, bytes, bytes.count) == bytes.count) }
        close(descriptor)
      }
    ),
  ]

  /// The row of the table that is asked here.
  static let cases = [
    ConformanceCase([46], "a file that changes while it is sent cuts the connection") {
      try await Self().cut()
    }
  ]

  private func cut() async throws {
    for (name, change) in Self.changes {
      let (records, sent) = AsyncStream<RequestRecord>.makeStream()
      let served = try await SignedInServer { options in
        options.log = { sent.yield($0) }
        // It must not be the idle connection that ends.
        options.connections.idleSeconds = 1000
      }
      let size = 64 << 20
      try served.shelf.addFilm("film", file: 1, name: "film.mkv", [0])
      let path = served.media.path("film.mkv")
      #expect(truncate(path, off_t(size)) == 0)
      // Slow, so that most of it is still to be sent when the answer has begun.
      let curl = try RunningCommand(
        "curl",
        [
          "-s", "-o", "body", "--limit-rate", "2M", "-H", "Authorization: Bearer \(served.key)",
          served.server.url.absoluteString + "api/v1/direct-download?file_id=1",
        ], in: served.media.path)
      for await record in records where record.path == "/api/v1/direct-download" {
        #expect(record.status == 200 && record.byteCount == Int64(size))
        break
      }
      change(path)
      // 18: less than was promised.
      #expect(try await curl.result().status == 18, "\(name)")
      // Without a byte of it curl makes no file.
      let body = (try? served.media.read("body")) ?? []
      #expect(body.count < size && body.allSatisfy { $0 == 0 }, "\(name)")
      await served.stop()
    }
  }
}
