import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// The page on which a person lets a device in.
@Suite struct ActivationTests {
  private let served: SignedInServer

  init() async throws {
    served = try await SignedInServer { $0.account = ("Ayşe", "gizli söz") }
  }

  /// What a browser got.
  private struct Page {
    var status: Int
    var head: String
    var body: String

    /// The hidden word of the second step.
    var ticket: String? {
      body.firstMatch(of: /name="ticket" value="([0-9a-f]+)"/).map { String($0.1) }
    }
  }

  /// Sends a form as a browser does; `nil` fetches the page.
  private func browse(
    _ form: String?, path: String = "activate", _ fields: [String] = []
  ) async throws -> Page {
    let data = try form.map { try served.data.write(".form-\(UUID())", $0) }
    let body = data.map { ["--data-binary", "@" + $0] } ?? []
    let result = try await runSuccessfully(
      "curl",
      ["-s", "-g", "-m", "100", "-D", "/dev/stderr", "-w", "\n%{http_code}"] + body
        + fields.flatMap { ["-H", $0] } + [served.server.url.absoluteString + path])
    let text = result.stdout
    let end = text.lastIndex(of: "\n") ?? text.startIndex
    return Page(
      status: Int(text[end...].dropFirst()) ?? 0,
      head: String(decoding: result.errors, as: UTF8.self), body: String(text[..<end]))
  }

  private func start(_ name: String = "tv") async throws -> DeviceCode {
    try await served.send(
      "POST", "/auth/device/start", "{\"device_name\":\"\(name)\",\"device_platform\":\"linux\"}",
      token: ""
    ).value(DeviceCode.self)
  }

  private func poll(_ code: DeviceCode) async throws -> DevicePoll {
    try await served.send(
      "POST", "/auth/device/poll", "{\"device_code\":\"\(code.deviceCode)\"}", token: ""
    ).value(DevicePoll.self)
  }

  private func form(_ code: String, password: String = "gizli+s%C3%B6z") -> String {
    "code=\(code)&username=Ay%C5%9Fe&password=\(password)"
  }

  @Test func `A person types the code, sees the device, and lets it in`() async throws {
    let code = try await start()
    #expect(code.verificationURL == served.server.url.absoluteString + "activate")
    let complete = try #require(code.completeURL)
    let first = try await browse(
      nil, path: String(complete.dropFirst(served.server.url.absoluteString.count)))
    #expect(first.status == 200 && first.body.contains("value=\"\(code.userCode)\""))
    let typed = code.userCode.lowercased().replacing("-", with: "+")
    let second = try await browse(form(typed))
    #expect(second.status == 200, "\(second.body)")
    for text in ["tv, linux", "Ayşe", code.userCode, "<strong>\(code.matchCode ?? "")</strong>"] {
      #expect(second.body.contains(text), "\(text)")
    }
    // Nothing is decided yet.
    #expect(try await poll(code).status == .pending)
    let ticket = try #require(second.ticket)
    let last = try await browse("ticket=\(ticket)&decision=approve")
    #expect(last.status == 200 && last.body.contains("let in"))
    let tokens = try #require(try await poll(code).tokens)
    #expect(tokens.user?.username == "Ayşe")
    #expect(try await served.send("GET", "/auth/me", token: tokens.accessToken).status == 200)
    for page in [first, second, last] {
      for field in [
        "Content-Security-Policy: default-src 'none'; form-action 'self'; frame-ancestors 'none'",
        "Cache-Control: no-store", "X-Frame-Options: DENY", "X-Content-Type-Options: nosniff",
        "Content-Type: text/html; charset=utf-8",
      ] {
        #expect(page.head.contains(field), "\(field)")
      }
      #expect(!page.head.lowercased().contains("set-cookie"))
      #expect(!page.body.contains("<script") && !page.body.contains("http"))
      #expect(!page.body.contains("gizli"))
    }
    // The word counts once.
    #expect(try await browse("ticket=\(ticket)&decision=approve").status == 403)
    await served.stop()
  }

  @Test func `A device that was refused hears it, and no other word counts after that`()
    async throws
  {
    let code = try await start()
    let ticket = try #require(try await browse(form(code.userCode)).ticket)
    let page = try await browse("ticket=\(ticket)&decision=deny")
    #expect(page.status == 200 && page.body.contains("refused"))
    #expect(try await poll(code).status == .denied)
    #expect(try await browse(form(code.userCode)).status == 404)
    // By the other way, too.
    let other = try await start()
    let token = try await served.signIn("Ayşe", "gizli söz")
    let say = "{\"code\":\"\(other.userCode)\"}"
    let denied = try await served.send("POST", "/auth/device/deny", say, token: token)
    #expect(denied.status == 200 && denied.text == "{\"status\":\"denied\"}")
    #expect(try await poll(other).status == .denied)
    #expect(
      try await served.send("POST", "/auth/device/approve", say, token: token).outcome
        == "404 not_found")
    await served.stop()
  }

  @Test func `What is wrong with a form is told in words`() async throws {
    let code = try await start()
    let word = form(code.userCode)
    let host = try #require(served.server.url.host()) + ":\(served.server.url.port ?? 0)"
    let form = "Content-Type: application/x-www-form-urlencoded"
    let rows: [(String, String, [String], Int)] = [
      ("nothing", "", [], 400), ("no password", "code=A&username=b", [], 400),
      ("a wrong password", self.form(code.userCode, password: "no"), [], 403),
      ("a code of nobody", self.form("BBBB-BBBB"), [], 404),
      ("a very long code", self.form(String(repeating: "B", count: 1000)), [], 404),
      ("a field without end", "code=" + String(repeating: "B", count: 2000), [], 400),
      ("a field twice", word + "&code=X", [], 400), ("no escape", "code=%zz", [], 400),
      ("no text", "code=%ff%fe&username=a&password=b", [], 400),
      ("a body without end", "code=" + String(repeating: "B", count: 70_000), [], 413),
      ("JSON", "{\"code\":\"A\"}", ["Content-Type: application/json"], 415),
      ("no type", word, ["Content-Type:"], 415),
      ("text", word, ["Content-Type: text/plain"], 415),
      ("another site", word, ["Sec-Fetch-Site: cross-site"], 403),
      ("another host of the site", word, ["Sec-Fetch-Site: same-site"], 403),
      ("another origin", word, ["Origin: http://evil.example"], 403),
      ("an origin that hides", word, ["Origin: null"], 403),
      ("its own origin", word, ["Origin: http://\(host)"], 200),
      ("its own site", word, ["Sec-Fetch-Site: same-origin", "Origin: null"], 200),
      ("a made-up word", "ticket=00ff&decision=approve", [], 403),
      ("no decision", "ticket=00ff", [], 400),
      ("another decision", "ticket=00ff&decision=maybe", [], 400),
    ]
    for (name, body, fields, status) in rows {
      let page = try await browse(
        body, fields.contains { $0.hasPrefix("Content-Type") } ? fields : fields + [form])
      #expect(page.status == status, "\(name): \(page.body)")
      #expect(page.head.contains("text/html") && page.body.contains("<h1>"), "\(name)")
      if status >= 400 { #expect(page.body.contains("role=\"alert\""), "\(name)") }
    }
    #expect(try await poll(code).status == .pending)
    await served.stop()
  }

  @Test func `What comes from outside stays text`() async throws {
    let code = try await start("<script>alert(1)</script>\\u202e\\u0007'")
    let page = try await browse(form(code.userCode))
    #expect(page.status == 200 && !page.body.contains("<script"))
    #expect(page.body.contains("&lt;script&gt;alert(1)&lt;/script&gt;\u{FFFD}\u{FFFD}&#39;"))
    let echo = try await browse(nil, path: "activate?code=%22%3E%3Cscript%3Ealert(1)")
    #expect(echo.body.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)\""))
    let long = try await browse(nil, path: "activate?code=" + String(repeating: "B", count: 33))
    #expect(long.body.contains("value=\"\""))
    await served.stop()
  }

  @Test func `Vain passwords and vain codes run into a limit, and nobody learns of codes before`()
    async throws
  {
    let code = try await start()
    for attempt in 0..<11 {
      let page = try await browse(form(code.userCode, password: "guess"))
      #expect(page.status == (attempt < 10 ? 403 : 429), "\(attempt)")
    }
    // The right one, too: names are guessed at the sign-in and here together.
    let late = try await browse(form(code.userCode))
    #expect(late.status == 429 && late.head.contains("Retry-After: 60"))
    #expect(late.body.contains("Too many attempts; try again in 60 s."))
    served.clock.move(by: 61)
    for attempt in 0..<11 {
      let page = try await browse(form("BBBB-BBB\(attempt)"))
      #expect(page.status == (attempt < 10 ? 404 : 429), "\(attempt)")
    }
    #expect(try await browse(form(code.userCode)).status == 429)
    served.clock.move(by: 61)
    // A code of one's own is no way to go on guessing.
    for attempt in 0..<11 {
      let page = try await browse(form("BBBB-BBB\(attempt)"))
      #expect(page.status == (attempt < 10 ? 404 : 429), "\(attempt)")
      if attempt < 10 {
        #expect(try await browse(form(code.userCode)).status == (attempt < 9 ? 200 : 429))
      }
    }
    served.clock.move(by: 61)
    let ticket = try #require(try await browse(form(code.userCode)).ticket)
    served.clock.move(by: 301)
    #expect(try await browse("ticket=\(ticket)&decision=approve").status == 403)
    await served.stop()
  }

  @Test func `Tickets are given once, end, and are never too many`() {
    var tickets = ActivationTickets()
    let ticket = ActivationTickets.Ticket(account: 1, code: "BCDF-GHJK")
    let words = (0..<300).map { tickets.issue(ticket, at: Int64($0)) }
    #expect(Set(words).count == 300)
    // Within their time, but the first ones had to go.
    #expect(words.prefix(44).allSatisfy { tickets.take($0, at: 299) == nil })
    #expect(tickets.take(words[44], at: 299) == ticket)
    #expect(tickets.take(words[44], at: 299) == nil)
    #expect(tickets.take(words[299], at: 599) == nil)
    #expect(tickets.take(words[298], at: 597) == ticket)
    #expect(tickets.take("", at: 299) == nil)
  }
}
