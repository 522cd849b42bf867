import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct AccountRouteTests {
  @Test func `Requests that cannot be read are told so`() async throws {
    let served = try await SignedInServer()
    let long = String(repeating: "x", count: 70_000)
    let rows: [(String, String, String?, String)] = [
      ("GET", "/health", nil, "200"), ("POST", "/auth/login", "{", "400 bad_request"),
      ("POST", "/auth/login", "[]", "400 bad_request"),
      ("POST", "/auth/login", nil, "400 bad_request"),
      ("POST", "/auth/login", "{\"username\":\"a\",\"password\":\"\"}", "400 bad_request"),
      ("POST", "/auth/login", "{\"username\":7,\"password\":\"a\"}", "400 bad_request"),
      ("POST", "/auth/login", "{\"username\":\"\(long)\"}", "413 bad_request"),
      ("POST", "/auth/device/start", "{\"device_name\":\"\(long)\"}", "413 bad_request"),
      ("POST", "/auth/refresh", "{}", "400 bad_request"),
      ("GET", "/auth/login", nil, "405 method_not_allowed"),
      ("DELETE", "/auth/me", nil, "405 method_not_allowed"),
      ("GET", "/nothing", nil, "404 not_found"), ("POST", "/nothing", "{}", "404 not_found"),
    ]
    for (method, path, body, outcome) in rows {
      let answer = try await served.send(method, path, body)
      #expect(answer.outcome == outcome, "\(method) \(path)")
      #expect(answer.headers["content-type"] == "application/json", "\(method) \(path)")
    }
    await served.stop()
  }

  @Test func `Keys are made, listed without their secrets, and ended`() async throws {
    let served = try await SignedInServer.withSecondAccount("second", "password")
    for wrong in ["{}", "{\"label\":\"\"}", "[]"] {
      #expect(try await served.send("POST", "/api-keys", wrong).outcome == "400 bad_request")
    }
    let made = try await served.send("POST", "/api-keys", "{\"label\":\"tv\"}")
    let key = try made.value(APIKey.self)
    #expect(made.status == 201 && key.key?.hasPrefix("sa_") == true && key.label == "tv")
    let old = try await served.send("POST", "/api-keys", "{\"name\":\"radio\"}")
    #expect(try old.value(APIKey.self).label == "radio")
    let list = try await served.send("GET", "/api-keys", token: key.key)
    let listed = try list.value([APIKey].self)
    #expect(listed.map(\.key) == [nil, nil, nil])
    #expect(listed.map(\.label) == ["radio", "tv", "first start"])
    #expect(!list.text.contains("sa_"))
    // Somebody else's key cannot be ended.
    let other = try await served.signIn("second", "password")
    #expect(
      try await served.send("DELETE", "/api-keys/\(key.id)", token: other).outcome
        == "404 not_found")
    #expect(try await served.send("DELETE", "/api-keys/\(key.id)").status == 204)
    #expect(try await served.send("DELETE", "/api-keys/\(key.id)").outcome == "404 not_found")
    #expect(try await served.send("DELETE", "/api-keys/tv").outcome == "400 bad_request")
    #expect(try await served.send("GET", "/auth/me", token: key.key).status == 401)
    await served.stop()
  }

  @Test func `A profile with a PIN is open to whoever proved it, and to keys`() async throws {
    let served = try await SignedInServer { $0.account = ("a", "password") }
    let login = "{\"username\":\"a\",\"password\":\"password\"}"
    let token = try await served.send("POST", "/auth/login", login, token: "").value(Tokens.self)
      .accessToken
    let made = try await served.send(
      "POST", "/profiles", "{\"name\":\"Kids\",\"pin\":\"1234\"}", token: token)
    let profile = try made.value(Profile.self)
    #expect(made.status == 201 && profile.hasPIN == true && profile.isPrimary == false)
    let again = try await served.send("POST", "/profiles", "{\"name\":\"kids\"}", token: token)
    #expect(again.outcome == "409 name_conflict")
    for body in [
      "{\"name\":\"x\",\"pin\":1234}", "{\"name\":5}", "{\"name\":\"x\",\"pin\":[\"1\"]}",
    ] {
      let refused = try await served.send("POST", "/profiles", body, token: token)
      #expect(refused.status == 400, "\(body)")
    }
    let named = ["X-Profile-Id: \(profile.id)"]
    func capability(_ token: String?, _ fields: [String]) async throws -> String {
      try await served.send("GET", "/downloads/capability", token: token, fields).outcome
    }
    #expect(try await capability(token, named) == "403 profile_unverified")
    #expect(try await capability(nil, named) == "200")
    #expect(try await capability(token, ["X-Profile-Id: other"]) == "404 not_found")
    let path = "/profiles/\(profile.id)/verify-pin"
    let wrong = try await served.send("POST", path, "{\"pin\":\"4321\"}", token: token)
    #expect(wrong.text == "{\"valid\":false}")
    let right = try await served.send("POST", path, "{\"pin\":\"1234\"}", token: token).value(
      PINCheck.self)
    let proof = named + ["X-Profile-Token: \(right.profileToken ?? "")"]
    #expect(right.isValid)
    #expect(try await capability(token, proof) == "200")
    #expect(
      try await served.send("POST", "/profiles/none/verify-pin", "{\"pin\":\"1\"}").outcome
        == "404 not_found")
    served.clock.move(by: 86_399)
    let later = try await served.send("POST", "/auth/login", login, token: "").value(Tokens.self)
    served.clock.move(by: 2)
    #expect(try await capability(later.accessToken, proof) == "403 profile_unverified")
    await served.stop()
  }

  @Test func `A device is let in by a person who types its code`() async throws {
    let served = try await SignedInServer { $0.account = ("a", "password") }
    let started = try await served.send(
      "POST", "/auth/device/start", "{\"device_name\":\"tv\",\"device_platform\":\"linux\"}",
      token: "")
    let code = try started.value(DeviceCode.self)
    #expect(started.status == 201 && code.userCode.count == 9 && code.expiresInSeconds == 600)
    let ask = "{\"device_code\":\"\(code.deviceCode)\"}"
    func poll() async throws -> SignedInServer.Answer {
      try await served.send("POST", "/auth/device/poll", ask, token: "")
    }
    #expect(try await poll().value(DevicePoll.self).status == .pending)
    let say = "{\"user_code\":\"\(code.userCode.lowercased())\"}"
    // A key must not make sign-ins that outlive it.
    #expect(try await served.send("POST", "/auth/device/approve", say).outcome == "403 forbidden")
    let login = "{\"username\":\"a\",\"password\":\"password\"}"
    let token = try await served.send("POST", "/auth/login", login, token: "").value(Tokens.self)
      .accessToken
    let wrong = "{\"user_code\":\"ZZZZ-ZZZZ\"}"
    #expect(
      try await served.send("POST", "/auth/device/approve", wrong, token: token).outcome
        == "404 not_found")
    let approved = try await served.send("POST", "/auth/device/approve", say, token: token)
    #expect(approved.status == 200 && approved.text == "{\"status\":\"approved\"}")
    #expect(
      try await served.send("POST", "/auth/device/approve", "{}", token: token).outcome
        == "400 bad_request")
    let tokens = try #require(try await poll().value(DevicePoll.self).tokens)
    #expect(tokens.user?.username == "a")
    #expect(try await served.send("GET", "/auth/me", token: tokens.accessToken).status == 200)
    #expect(try await poll().outcome == "404 not_found")
    let late = try await served.send("POST", "/auth/device/start", "{}", token: "").value(
      DeviceCode.self)
    served.clock.move(by: 601)
    let answer = try await served.send(
      "POST", "/auth/device/poll", "{\"device_code\":\"\(late.deviceCode)\"}", token: "")
    #expect(answer.outcome == "404 not_found")
    await served.stop()
  }

  @Test func `No secret is in the database`() async throws {
    let served = try await SignedInServer { $0.account = ("a", "a long password") }
    let login = "{\"username\":\"a\",\"password\":\"a long password\"}"
    let tokens = try await served.send("POST", "/auth/login", login, token: "").value(Tokens.self)
    await served.stop()
    for name in try served.data.names() where name.hasPrefix("server.sqlite") {
      let text = String(decoding: try served.data.read(name), as: UTF8.self)
      for secret in [served.key, tokens.accessToken, tokens.refreshToken ?? "x", "long password"] {
        #expect(!text.contains(secret), "\(name)")
      }
    }
  }
}
