import Foundation
import SiloContract
import SiloStore
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct SignInTests {
  @Test func `The first start makes an account and a key that only its owner can read`()
    async throws
  {
    let served = try await SignedInServer()
    let path = try #require(served.server.keyFile)
    #expect(path == served.data.path("api-key"))
    let facts = try FileManager.default.attributesOfItem(atPath: path)
    #expect(facts[.posixPermissions] as? Int == 0o600)
    let database = try FileManager.default.attributesOfItem(
      atPath: served.data.path("server.sqlite"))
    #expect(database[.posixPermissions] as? Int == 0o600)
    let me = try await served.send("GET", "/auth/me").value(Account.self)
    #expect(me.username == "admin" && me.role == "admin" && me.isDownloadAllowed == true)
    let profiles = try await served.send("GET", "/profiles").value(ProfileList.self).profiles
    #expect(profiles.map(\.isPrimary) == [true])
    // Without a password nobody signs in with one.
    let answer = try await served.send(
      "POST", "/auth/login", "{\"username\":\"admin\",\"password\":\"admin\"}", token: "")
    #expect(answer.outcome == "401 invalid_credentials")
    await served.stop()
  }

  @Test func `A first start that ended early is mended by the next one`() async throws {
    // The file of the key cannot be written: nothing was made, and the next start makes all of it.
    let data = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: data.path("api-key"), withIntermediateDirectories: true)
    await #expect(throws: (any Error).self) { try await SignedInServer(data: data) }
    try FileManager.default.removeItem(atPath: data.path("api-key"))
    let first = try await SignedInServer(data: data)
    #expect(try await first.send("GET", "/auth/me").status == 200)
    let id = first.server.id
    await first.stop()

    // An account without any key, as an earlier version could leave it: it gets one, and stays the account that it was.
    let connection = try Connection.open(data.path("server.sqlite"), journal: .asStored)
    try connection.run("DELETE FROM api_key")
    try FileManager.default.removeItem(atPath: data.path("api-key"))
    let again = try await SignedInServer(data: data)
    #expect(again.server.keyFile == data.path("api-key") && again.server.id == id)
    let me = try await again.send("GET", "/auth/me").value(Account.self)
    #expect(me.username == "admin" && me.role == "admin")
    #expect(
      try await again.send("GET", "/profiles").value(ProfileList.self).profiles.count == 1)
    await again.stop()

    // Who has taken the key away knows it: no other is made.
    try FileManager.default.removeItem(atPath: data.path("api-key"))
    let third = try await MediaServer.start(
      {
        var options = MediaServer.Options(folder: again.media.url)
        options.data = data.url
        return options
      }())
    #expect(third.keyFile == nil)
    await third.stop()
  }

  @Test func `A second start keeps ids and keys, and the data belongs to one server at a time`()
    async throws
  {
    let served = try await SignedInServer()
    let error = await #expect(throws: ServerError.self) {
      try await SignedInServer(data: served.data)
    }
    #expect(error?.code == .locked)
    let id = served.server.id
    await served.stop()
    let again = try await SignedInServer(data: served.data)
    #expect(again.server.id == id && again.key == served.key)
    #expect(try await again.send("GET", "/auth/me").status == 200)
    await again.stop()
  }

  @Test func `What the server must keep secret never lies among what it serves`() async throws {
    let folder = try TemporaryFolder()
    for (name, isRefused) in [("", true), ("data", true), ("a/b", true), (".data", false)] {
      var options = MediaServer.Options(folder: folder.url)
      options.data = folder.url.appending(path: name, directoryHint: .isDirectory)
      do {
        let server = try await MediaServer.start(options)
        await server.stop()
        #expect(!isRefused, "\(name)")
      } catch let error as ServerError {
        #expect(isRefused && error.code == .config, "\(name): \(error)")
      }
    }
  }

  @Test func `A password opens a session, whose tokens are renewed and ended`() async throws {
    let served = try await SignedInServer { $0.account = ("Ayşe", "gizli söz") }
    let wish = "{\"username\":\"Ayşe\",\"password\":\"gizli söz\",\"provider\":\"local\"}"
    let signed = try await served.send("POST", "/auth/login", wish, token: "")
    let tokens = try signed.value(Tokens.self)
    #expect(signed.status == 200 && tokens.user?.username == "Ayşe")
    #expect(tokens.expiresInSeconds == 86_400)
    #expect(try await served.send("GET", "/auth/me", token: tokens.accessToken).status == 200)
    // A refresh token is no access token, and the other way round.
    let refresh = try #require(tokens.refreshToken)
    #expect(try await served.send("GET", "/auth/me", token: refresh).status == 401)
    #expect(try await renew(tokens.accessToken, served).outcome == "401 unauthorized")

    served.clock.move(by: 86_401)
    #expect(
      try await served.send("GET", "/auth/me", token: tokens.accessToken).outcome
        == "401 unauthorized")
    let second = try await renew(refresh, served).value(Tokens.self)
    #expect(try await served.send("GET", "/auth/me", token: second.accessToken).status == 200)
    let logout = try await served.send("POST", "/auth/logout", "{}", token: second.accessToken)
    #expect(logout.status == 204 && logout.body.isEmpty)
    #expect(try await served.send("GET", "/auth/me", token: second.accessToken).status == 401)
    #expect(try await renew(second.refreshToken ?? "", served).status == 401)
    await served.stop()
  }

  @Test func `Another password ends sign-ins, and what a device was promised under the old one`()
    async throws
  {
    let first = try await SignedInServer { $0.account = ("ada", "old") }
    let token = try await first.signIn("ada", "old")
    let code = try await first.send("POST", "/auth/device/start", token: "").value(DeviceCode.self)
    let say = "{\"code\":\"\(code.userCode)\"}"
    #expect(
      try await first.send("POST", "/auth/device/approve", say, token: token).status == 200)
    await first.stop()
    let second = try await SignedInServer(data: first.data) { $0.account = ("ada", "new") }
    #expect(try await second.send("GET", "/auth/me", token: token).status == 401)
    let poll = "{\"device_code\":\"\(code.deviceCode)\"}"
    #expect(
      try await second.send("POST", "/auth/device/poll", poll, token: "").outcome
        == "404 not_found")
    await second.stop()
  }

  @Test func `A refresh token that comes twice ends everything that came of its sign-in`()
    async throws
  {
    let served = try await SignedInServer { $0.account = ("a", "password") }
    let wish = "{\"username\":\"a\",\"password\":\"password\"}"
    let first = try await served.send("POST", "/auth/login", wish, token: "").value(Tokens.self)
    let other = try await served.send("POST", "/auth/login", wish, token: "").value(Tokens.self)
    let second = try await renew(first.refreshToken ?? "", served).value(Tokens.self)
    #expect(second.refreshToken != first.refreshToken)
    #expect(try await renew(first.refreshToken ?? "", served).outcome == "401 unauthorized")
    for token in [first.accessToken, second.accessToken] {
      #expect(try await served.send("GET", "/auth/me", token: token).status == 401)
    }
    #expect(try await renew(second.refreshToken ?? "", served).status == 401)
    #expect(try await served.send("GET", "/auth/me", token: other.accessToken).status == 200)
    await served.stop()
  }

  @Test func `Tokens are taken from the header in any case, or from the query`() async throws {
    let served = try await SignedInServer()
    let rows: [([String], String, Int)] = [
      (["Authorization: bEaReR \(served.key)"], "/auth/me", 200),
      ([], "/auth/me?token=\(served.key)", 200), ([], "/auth/me", 401),
      ([], "/auth/me?token=", 401), (["Authorization: Basic \(served.key)"], "/auth/me", 401),
      (["Authorization: Bearer sa_wrong"], "/auth/me", 401),
      // The header counts: a wrong one is not made good by the query.
      (["Authorization: Bearer sa_wrong"], "/auth/me?token=\(served.key)", 401),
    ]
    for (fields, path, status) in rows {
      let answer = try await served.send("GET", path, token: "", fields)
      #expect(answer.status == status, "\(path)")
      if status == 401 { #expect(answer.error == "unauthorized") }
    }
    await served.stop()
  }

  @Test func `Wrong passwords run into a limit, for names that exist and others alike`()
    async throws
  {
    let served = try await SignedInServer { $0.account = ("a", "password") }
    for name in ["a", "nobody"] {
      let wrong = "{\"username\":\"\(name)\",\"password\":\"guess\"}"
      for _ in 0..<10 {
        let answer = try await served.send("POST", "/auth/login", wrong, token: "")
        #expect(answer.outcome == "401 invalid_credentials")
      }
      let answer = try await served.send("POST", "/auth/login", wrong, token: "")
      #expect(answer.outcome == "429 rate_limited" && answer.headers["retry-after"] == "60")
    }
    let right = "{\"username\":\"a\",\"password\":\"password\"}"
    #expect(try await served.send("POST", "/auth/login", right, token: "").status == 429)
    served.clock.move(by: 61)
    #expect(try await served.send("POST", "/auth/login", right, token: "").status == 200)
    await served.stop()
  }

  private func renew(
    _ token: String, _ served: SignedInServer
  ) async throws -> SignedInServer.Answer {
    try await served.send("POST", "/auth/refresh", "{\"refresh_token\":\"\(token)\"}", token: "")
  }
}
