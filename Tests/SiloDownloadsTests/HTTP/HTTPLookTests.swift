import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("HTTP looks", .timeLimit(.minutes(5)))
struct HTTPLookTests {
  @Test("an answer is too slow when a whole window brings less than 1 KiB a second")
  func pace() {
    struct Row {
      var name: String
      var pieces: [(at: Double, count: Int)]
      var slowAt: Double?
    }
    let rows = [
      Row(name: "nothing yet is no answer", pieces: [], slowAt: nil),
      Row(name: "a byte a second", pieces: (0..<40).map { (Double($0), 1) }, slowAt: 10),
      Row(name: "fast enough", pieces: (0..<40).map { (Double($0), 1024) }, slowAt: nil),
      Row(name: "late, then nothing", pieces: [(25, 300)], slowAt: 35),
      Row(
        name: "fast, then a trickle", pieces: [(0, 1 << 20)] + (1..<40).map { (Double($0), 9) },
        slowAt: 20),
    ]
    for row in rows {
      var pace = AnswerPace(window: .seconds(10))
      #expect(pace.leastByteCount == 10_240)
      var slowAt: Double?
      for tick in 0..<40 where slowAt == nil {
        for piece in row.pieces where piece.at == Double(tick) {
          pace.take(piece.count, at: .seconds(tick))
        }
        if pace.isTooSlow(at: .seconds(tick)) { slowAt = Double(tick) }
      }
      #expect(slowAt == row.slowAt, "\(row.name)")
    }
    var paused = AnswerPace(window: .seconds(10))
    paused.take(1, at: .zero)
    paused.restart()
    let isSlow = paused.isTooSlow(at: .seconds(60))
    #expect(!isSlow)
  }

  /// Attempts of a client that waits half a second.
  private func error(_ server: FaultServer, isLook: Bool) async throws -> DownloadError? {
    var options = HTTPOptions()
    options.stallTime = .milliseconds(500)
    options.attempts = 2
    let client = HTTPClient(options)
    let url = try #require(URL(string: server.url("/list.m3u8")))
    do {
      if isLook {
        _ = try await DocumentReader(client: client).read(url)
      } else {
        _ = try await client.fetch(HTTPRequest(url, purpose: .document))
      }
      return nil
    } catch let error as DownloadError {
      return error
    }
  }

  @Test("a playlist that trickles is left, and what is no look may trickle")
  func trickle() async throws {
    let server = try FaultServer()
    let text = "#EXTM3U\n" + String(repeating: "#", count: 22)
    server.on("/list.m3u8") { _, _ in .text(text).dripping(1, every: .milliseconds(60)) }
    let slow = try await error(server, isLook: true)
    #expect(slow?.code == .temporary && slow?.message.contains("KiB/s") == true, "\(slow as Any)")
    #expect(server.requests.count == 2)
    #expect(try await error(server, isLook: false) == nil)
  }

  @Test("an answer that is announced for ever is left after the stall time")
  func hints() async throws {
    let server = try FaultServer()
    server.on("/list.m3u8") { _, _ in .hints(every: .milliseconds(20)) }
    for isLook in [true, false] {
      let error = try await error(server, isLook: isLook)
      #expect(error?.code == .temporary && error?.message.contains("stopped") == true)
    }
  }

  @Test("what would not be one header field each is refused, without its value")
  func oneLine() async throws {
    let server = try FaultServer()
    let rows: [@Sendable (inout HTTPOptions) -> Void] = [
      { $0.userAgent = "a\r\nX-Evil: secret" }, { $0.userAgent = "a\u{1b}[2Jsecret" },
      { $0.userHeaders = [HTTPHeader("X-Token", "secret\r\nX-Evil: 1")] },
      { $0.userHeaders = [HTTPHeader("X\nY", "secret")] },
    ]
    for change in rows {
      var options = HTTPOptions()
      change(&options)
      let url = try #require(URL(string: server.url("/")))
      let error = try await downloadError {
        _ = try await HTTPClient(options).fetch(HTTPRequest(url, purpose: .document))
      }
      #expect(error.code == .usage && error.message.contains("control character"))
      #expect(!"\(error)".contains("secret"))
    }
    #expect(server.requests.isEmpty)
  }
}
