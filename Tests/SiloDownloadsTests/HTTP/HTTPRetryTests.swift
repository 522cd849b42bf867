import Foundation
import SiloSystem
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("HTTP retries")
struct HTTPRetryTests {
  private let pauses = Pauses()

  private func client(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPClient {
    var options = HTTPOptions()
    options.attempts = 3
    change(&options)
    return HTTPClient(options, waiting: pauses.waiting)
  }

  @Test("statuses that may pass are tried again, the others are not, and each has its class")
  func statuses() async throws {
    let rows: [(status: Int, code: DownloadError.Code, attempts: Int)] = [
      (400, .unavailable, 1), (401, .auth, 1), (403, .auth, 1), (404, .notFound, 1),
      (405, .unavailable, 1), (407, .config, 1), (408, .temporary, 3), (410, .notFound, 1),
      (416, .integrity, 1), (429, .temporary, 3), (451, .unavailable, 1), (500, .temporary, 3),
      (501, .unavailable, 1), (502, .temporary, 3), (503, .temporary, 3), (504, .temporary, 3),
      (599, .temporary, 3), (304, .unavailable, 1),
    ]
    for row in rows {
      let server = try WireServer { _ in WireServer.Answer(status: row.status) }
      let error = try await downloadError {
        _ = try await client().fetch(HTTPRequest(server.url("/x?token=1"), purpose: .document))
      }
      #expect(error.code == row.code, "\(row.status)")
      #expect(error.status == row.status)
      #expect(server.requests.count == row.attempts, "\(row.status)")
      #expect(!error.description.contains("token"))
    }
  }

  @Test("what is no web server is not taken for one, nor asked again")
  func foreign() async throws {
    for text in ["SSH-2.0-OpenSSH_9.2p1\r\n", "<html>1991</html>"] {
      let server = try WireServer { _ in WireServer.Answer(body: Array(text.utf8), isBare: true) }
      let error = try await downloadError {
        _ = try await client().fetch(HTTPRequest(server.url("/x"), purpose: .document))
      }
      #expect(error.code == .unavailable && error.subject?.contains("127.0.0.1") == true)
      #expect(error.message.contains("no web server"), "\(error)")
      #expect(server.requests.count == 1)
    }
  }

  @Test("a server that recovers is served from, and its page of the failure is not the body")
  func recovery() async throws {
    let server = try WireServer {
      $0.index < 2 ? WireServer.Answer(status: 503, body: Array("sorry".utf8)) : .ok("good")
    }
    let document = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    #expect(document.body == Array("good".utf8))
    #expect(pauses.all == [.milliseconds(125), .milliseconds(250)])
  }

  @Test(
    "every retry is told before its pause, with its number and reason; a helper's failure is not")
  func told() async throws {
    let told = Mutex<[HTTPRetry]>([])
    let server = try WireServer { _ in WireServer.Answer(status: 503) }
    let nobody = "http://127.83.7.1:9/film.mkv?token=1"
    let rows: [(url: String, reason: String)] = [
      (server.url("/film.mkv?token=1").absoluteString, "the server answers HTTP 503"),
      (nobody, "the connection failed ("),
    ]
    for row in rows {
      told.withLock { $0 = [] }
      let client = client { options in
        options.retrying = { retry in told.withLock { $0.append(retry) } }
      }
      let request = HTTPRequest(try #require(URL(string: row.url)), purpose: .document)
      _ = try await downloadError { _ = try await client.fetch(request) }
      let retries = told.withLock { $0 }
      #expect(retries.map(\.attempt) == [2, 3] && retries.map(\.attempts) == [3, 3])
      #expect(retries.map(\.pause) == [.milliseconds(125), .milliseconds(250)])
      #expect(retries.allSatisfy { $0.reason.hasPrefix(row.reason) }, "\(retries)")
      #expect(
        retries.allSatisfy { $0.subject.contains("/film.mkv") && !$0.subject.contains("token") })
      _ = try await client.attempt(request, into: GatheringSink())
      #expect(told.withLock { $0.count } == 2)
    }
  }

  @Test("Retry-After is kept, in seconds")
  func retryAfterSeconds() async throws {
    for status in [429, 503] {
      let pauses = Pauses()
      let server = try WireServer {
        $0.index == 0 ? WireServer.Answer(status: status, headers: ["Retry-After": "7"]) : .ok("x")
      }
      let client = HTTPClient(HTTPOptions(), waiting: pauses.waiting)
      _ = try await client.fetch(HTTPRequest(server.url("/"), purpose: .document))
      #expect(pauses.all == [.seconds(7)])
    }
  }

  @Test("Retry-After is kept, as a date")
  func retryAfterDate() async throws {
    let style = DateFormatter()
    style.locale = Locale(identifier: "en_US_POSIX")
    style.timeZone = TimeZone(identifier: "GMT")
    style.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let now = Date()
    // Counted from the server's own clock, whatever time the answer needs.
    let fields = [
      "Date": style.string(from: now),
      "Retry-After": style.string(from: now.addingTimeInterval(60)),
    ]
    let server = try WireServer {
      $0.index == 0 ? WireServer.Answer(status: 503, headers: fields) : .ok("x")
    }
    _ = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    #expect(pauses.all.count == 1)
    #expect(try (.seconds(59)...Duration.seconds(61)).contains(#require(pauses.all.first)))
  }

  @Test("a Retry-After above the longest that is waited for ends the request at once")
  func retryAfterTooLong() async throws {
    let server = try WireServer { _ in
      WireServer.Answer(status: 429, headers: ["Retry-After": "301"])
    }
    let error = try await downloadError {
      _ = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    }
    #expect(error.code == .temporary)
    #expect(error.status == 429)
    #expect(server.requests.count == 1)
    #expect(pauses.all.isEmpty)
  }

  @Test("a body that is cut is asked for again, and whole in the end")
  func cut() async throws {
    let server = try WireServer {
      WireServer.Answer(body: patternBytes(50_000), cutAfter: $0.index < 2 ? 10_000 : nil)
    }
    let document = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    #expect(document.body == patternBytes(50_000))
    #expect(server.requests.count == 3)
  }

  @Test("a body that is cut at the same place for ever fails after the attempts")
  func cutForEver() async throws {
    let server = try WireServer { _ in
      WireServer.Answer(body: patternBytes(500_000), cutAfter: 100_000)
    }
    let error = try await downloadError {
      _ = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    }
    #expect(error.code == .temporary)
    // The first attempt made progress, which resets the count; the same bytes again do not.
    #expect(server.requests.count == 3)
  }

  @Test("progress resets the count of attempts, so a long file over a bad line is finished")
  func progress() async throws {
    let file = patternBytes(400_000)
    let server = try WireServer { request in
      var answer = WireServer.Answer.file(file, request)
      answer.cutAfter = answer.body.count > 40_000 ? 40_000 : nil
      return answer
    }
    let sink = GatheringSink()
    let url = server.url("/film.mkv")
    let request = HTTPRequest(url, purpose: .media)
    let head = try await client().stream(request, into: sink) {
      HTTPRequest(
        url, purpose: .media, range: Int64(sink.bytes.count)..<Int64.max, ifRange: "\"1\"")
    }
    #expect(sink.bytes == file)
    #expect(head.contentRange?.total == 400_000)
    #expect(server.requests.count == 10)
    #expect(server.requests[1].headers["range"] == "bytes=40000-")
    #expect(server.requests[1].headers["if-range"] == "\"1\"")
  }

  @Test("a body without announced length that ends is complete, and the head says no length")
  func lengthless() async throws {
    let server = try WireServer { _ in
      WireServer.Answer(body: patternBytes(1000), hidesLength: true)
    }
    let document = try await client().fetch(HTTPRequest(server.url("/"), purpose: .document))
    #expect(document.body.count == 1000)
    #expect(document.head.contentLength == nil)
    #expect(server.requests.count == 1)
  }

  @Test("a server that stops sending is left after the stall time")
  func stall() async throws {
    let server = try WireServer {
      WireServer.Answer(
        body: patternBytes(1000), cutAfter: $0.index == 0 ? 10 : nil, stalls: $0.index == 0)
    }
    let document = try await client { $0.stallTime = .milliseconds(200) }.fetch(
      HTTPRequest(server.url("/"), purpose: .document))
    #expect(document.body == patternBytes(1000))
    #expect(server.requests.count == 2)
  }

  @Test("a server that accepts and says nothing is left after the stall time")
  func silence() async throws {
    let server = try WireServer { _ in WireServer.Answer(cutAfter: 0, stalls: true) }
    let error = try await downloadError {
      _ = try await client {
        $0.stallTime = .milliseconds(100)
        $0.attempts = 2
      }.stream(HTTPRequest(server.url("/"), purpose: .media, range: 0..<10), into: Mute())
    }
    #expect(error.code == .temporary)
  }

  /// Takes a body that must not come.
  final class Mute: HTTPBodySink {
    func begin(_ head: HTTPResponseHead) throws {
      throw DownloadError(.temporary, "begun")
    }
    func receive(_ bytes: RawSpan) throws {}
  }

  @Test("a port where nobody listens is a temporary failure")
  func refused() async throws {
    // No test listens on this address, so none can get the port meanwhile.
    let url = try #require(URL(string: "http://127.83.19.8:9/"))
    let error = try await downloadError {
      _ = try await client().fetch(HTTPRequest(url, purpose: .document))
    }
    #expect(error.code == .temporary)
    #expect(pauses.all.count == 2)
  }
}
