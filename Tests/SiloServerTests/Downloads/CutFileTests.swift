import Foundation
import Glibc
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct CutFileTests {
  @Test
  func `Case 46: a file that is cut while it is sent ends the connection, and nothing follows`()
    async throws
  {
    let (records, sent) = AsyncStream<RequestRecord>.makeStream()
    let served = try await SignedInServer { options in
      options.log = { sent.yield($0) }
      // The kernel has nothing more to send and says nothing: the connection ends as an idle one.
      options.connections.idleSeconds = 2
    }
    let size = 64 << 20
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", [0])
    let path = served.media.path("film.mkv")
    #expect(truncate(path, off_t(size)) == 0)
    // Slow, so that most of it is still to be sent when the answer has begun.
    let curl = try RunningCommand(
      "curl",
      [
        "-s", "-o", "body", "--limit-rate", "8M", "-H", "Authorization: Bearer \(served.key)",
        served.server.url.absoluteString + "api/v1/direct-download?file_id=1",
      ], in: served.media.path)
    for await record in records where record.path == "/api/v1/direct-download" {
      #expect(record.status == 200 && record.byteCount == Int64(size))
      break
    }
    #expect(truncate(path, 4096) == 0)
    // 18: less than was promised.
    #expect(try await curl.result().status == 18)
    let body = try served.media.read("body")
    #expect(body.count < size && body.suffix(1000).allSatisfy { $0 == 0 })
    await served.stop()
  }
}
