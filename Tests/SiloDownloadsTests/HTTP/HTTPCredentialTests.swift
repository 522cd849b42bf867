import Foundation
import SiloDownloads
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@Suite("HTTP credentials")
struct HTTPCredentialTests {
  private func options(_ origin: URL) -> HTTPOptions {
    var options = HTTPOptions()
    options.credentialOrigin = origin
    options.userHeaders = [
      HTTPHeader("Authorization", "Bearer secret"), HTTPHeader("X-Profile-Id", "p1"),
    ]
    options.redirects = 3
    return options
  }

  private func sawSecret(_ request: WireServer.Request) -> Bool {
    request.headers["authorization"] != nil || request.headers["x-profile-id"] != nil
      || request.headers["x-own"] != nil || request.headers["cookie"] != nil
  }

  @Test(
    "a redirect to another port or host loses every header of the user, and coming back has them")
  func redirect() async throws {
    let back = Late()
    let foreign = try WireServer {
      $0.target == "/return" ? .redirect(back.url("/end")) : .ok("foreign")
    }
    let home = try WireServer { request in
      switch request.target {
      case "/same": .redirect("/end")
      case "/port": .redirect(foreign.url("/end").absoluteString)
      case "/host": .redirect(back.url("/end", host: "localhost"))
      case "/round": .redirect(foreign.url("/return").absoluteString)
      default: .ok("home")
      }
    }
    back.port = home.port
    let rows: [(path: String, arrivals: [Bool], foreign: Int)] = [
      ("/same", [true, true], 0), ("/port", [true], 1), ("/host", [true, false], 0),
      ("/round", [true, true], 1),
    ]
    for row in rows {
      let client = HTTPClient(options(home.url("/")))
      let before = (home.requests.count, foreign.requests.count)
      let request = HTTPRequest(
        home.url(row.path), purpose: .media, range: 0..<5, headers: [HTTPHeader("X-Own", "1")])
      _ = try await client.fetch(request)
      #expect(home.requests[before.0...].map(sawSecret) == row.arrivals, "\(row.path)")
      #expect(foreign.requests.count - before.1 == row.foreign, "\(row.path)")
    }
    #expect(!foreign.requests.contains(where: sawSecret))
    // What is no credential goes along.
    #expect(foreign.requests.allSatisfy { $0.headers["range"] == "bytes=0-4" })
  }

  @Test("a foreign address out of a playlist gets none of the user's headers")
  func foreignAddress() async throws {
    let home = try WireServer { _ in .ok("home") }
    let foreign = try WireServer { _ in .ok("foreign") }
    let client = HTTPClient(options(home.url("/")))
    for url in [foreign.url("/seg.ts"), home.url("/seg.ts", host: "localhost")] {
      _ = try await client.fetch(HTTPRequest(url, purpose: .media))
    }
    #expect(!(foreign.requests + home.requests).contains(where: sawSecret))
    _ = try await client.fetch(HTTPRequest(home.url("/seg.ts"), purpose: .media))
    #expect(home.requests.last.map(sawSecret) == true)
  }

  @Test("user and password of the address go to its origin only, and not into the request line")
  func userInfo() async throws {
    let foreign = try WireServer { _ in .ok("foreign") }
    let home = try WireServer {
      $0.target == "/away" ? .redirect(foreign.url("/x").absoluteString) : .ok("home")
    }
    var parts = try #require(URLComponents(url: home.url("/away"), resolvingAgainstBaseURL: true))
    parts.user = "me"
    parts.password = "p@ss"
    let url = try #require(parts.url)
    var options = HTTPOptions()
    options.credentialOrigin = url
    let client = HTTPClient(options)
    _ = try await client.fetch(HTTPRequest(url, purpose: .document))
    _ = try await client.fetch(HTTPRequest(home.url("/child"), purpose: .document))
    let basic = "Basic " + Data("me:p@ss".utf8).base64EncodedString()
    #expect(home.requests.map { $0.headers["authorization"] } == [basic, basic])
    #expect(foreign.requests.map { $0.headers["authorization"] } == [nil])
  }

  @Test("netrc and cookie files are read for the origin, and not for another port")
  func files() async throws {
    let folder = try TemporaryFolder()
    let home = try WireServer { _ in .ok("home") }
    let foreign = try WireServer { _ in .ok("foreign") }
    var options = HTTPOptions()
    options.credentialOrigin = home.url("/")
    options.netrcFile = URL(
      fileURLWithPath: try folder.write("netrc", "machine 127.0.0.1 login me password pw\n"))
    options.cookieFile = URL(
      fileURLWithPath: try folder.write(
        "cookies", "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tsecret\n"))
    let client = HTTPClient(options)
    // Twice: the handles are used again.
    for _ in 0..<2 {
      _ = try await client.fetch(HTTPRequest(home.url("/"), purpose: .document))
      _ = try await client.fetch(HTTPRequest(foreign.url("/"), purpose: .document))
    }
    #expect(home.requests.allSatisfy { $0.headers["cookie"] == "id=secret" })
    #expect(home.requests.allSatisfy { $0.headers["authorization"]?.hasPrefix("Basic ") == true })
    #expect(!foreign.requests.contains(where: sawSecret))
  }

  @Test("a loop of redirects ends as temporary, another scheme as unsupported")
  func dangerousRedirects() async throws {
    let server = try WireServer {
      $0.target == "/loop" ? .redirect("/loop") : .redirect("file:///etc/passwd")
    }
    let client = HTTPClient(options(server.url("/")))
    let loop = try await downloadError {
      _ = try await client.fetch(HTTPRequest(server.url("/loop"), purpose: .document))
    }
    #expect(loop.code == .temporary)
    #expect(server.requests.count == 4)
    let scheme = try await downloadError {
      _ = try await client.fetch(HTTPRequest(server.url("/file"), purpose: .document))
    }
    #expect(scheme.code == .unsupported)
  }

  @Test("a header with a line break is not sent, nor what it would smuggle in")
  func smuggling() async throws {
    let server = try WireServer { _ in .ok("x") }
    var options = options(server.url("/"))
    options.userHeaders = [HTTPHeader("X-C", "")]
    let request = HTTPRequest(
      server.url("/"), purpose: .document, headers: [HTTPHeader("X-A", "1\r\nX-B: 2")])
    _ = try await HTTPClient(options).fetch(request)
    let headers = try #require(server.requests.first).headers
    #expect(headers["x-a"] == nil && headers["x-b"] == nil)
    #expect(headers["x-c"] == "")
  }
}

/// The address of a server that is made after the script that needs it.
private final class Late: Sendable {
  private let stored = Mutex(0)

  var port: Int {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  func url(_ path: String, host: String = "127.0.0.1") -> String {
    "http://\(host):\(port)\(path)"
  }
}
