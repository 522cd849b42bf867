import Foundation
import SiloContract
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Sign-in", .timeLimit(.minutes(5)))
struct SignInTests {
  let silo: ScriptedSilo

  init() throws { silo = try ScriptedSilo() }

  @Test("a password becomes tokens in a file that only its owner reads, and is nowhere itself")
  func password() async throws {
    let outcome = try await silo.signIn()
    #expect(outcome.account.username == "ada" && outcome.account.profile?.name == "Ada")
    #expect(outcome.warnings.isEmpty)
    #expect(silo.stored.contains("refresh-1") && !silo.stored.contains("correct horse"))
    let attributes = try FileManager.default.attributesOfItem(atPath: silo.file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let last = try #require(silo.server.requests(for: "/api/v1/downloads/capability").last)
    #expect(last.header("X-Profile-Id") == "p-1")
    #expect(last.header("X-Silo-Device-Id") == outcome.account.deviceID)
  }

  @Test("what is refused stores nothing, and leaves what was stored")
  func refused() async throws {
    let wrong = SignIn.Proof.password(username: "ada", password: "wrong")
    let error = await #expect(throws: DownloadError.self) { try await silo.signIn(wrong) }
    #expect(error?.code == .auth)
    #expect(silo.stored.isEmpty)
    _ = try await silo.signIn()
    let before = silo.stored
    await #expect(throws: DownloadError.self) { try await silo.signIn(wrong) }
    await #expect(throws: DownloadError.self) { try await silo.signIn(profile: "Eve") }
    await #expect(throws: DownloadError.self) { try await silo.signIn(profile: "Çocuk") }
    await #expect(throws: DownloadError.self) {
      try await silo.signIn(profile: "Çocuk", pin: "0000")
    }
    #expect(silo.stored == before)
  }

  @Test("a key opens a profile without its PIN, a password with it")
  func pins() async throws {
    let byKey = try await silo.signIn(.key("sa_key"), profile: "çocuk")
    #expect(byKey.account.profile == .init(id: "p-2", name: "Çocuk"))
    let byPIN = try await silo.signIn(profile: "Çocuk", pin: "1234")
    #expect(byPIN.account.profile?.token == "pt-9")
    let last = try #require(silo.server.requests(for: "/api/v1/downloads/capability").last)
    #expect(last.header("X-Profile-Token") == "pt-9")
  }

  @Test(
    "switching the profile keeps the device and the tokens, also such as were renewed meanwhile")
  func switching() async throws {
    let first = try await silo.signIn().account
    silo.expire()
    let second = try await silo.signIn(.stored, profile: "Çocuk", pin: "1234").account
    #expect(second.deviceID == first.deviceID)
    #expect(second.profile?.id == "p-2")
    #expect(second.credential == .tokens(access: "access-2", refresh: "refresh-2"))
    #expect(try await silo.file.read() == second)
  }

  @Test("a code is polled for as slowly as the server wants")
  func device() async throws {
    let clock = Mutex((now: Duration.zero, pauses: [Duration]()))
    let waiting = Waiting(
      now: { clock.withLock { $0.now } },
      sleep: { pause in
        clock.withLock {
          $0.now += pause
          $0.pauses.append(pause)
        }
      })
    let shown = Mutex<[String]>([])
    let outcome = try await silo.signIn(.device, waiting: waiting) { code in
      shown.withLock { $0.append("\(code.code) \(code.url ?? "")") }
    }
    #expect(outcome.account.credential == .tokens(access: "access-1", refresh: "refresh-1"))
    #expect(shown.withLock { $0 } == ["ABCD-1234 http://h/link"])
    #expect(clock.withLock { $0.pauses } == [.seconds(5), .seconds(7), .seconds(7)])
  }

  @Test("a file that is no sign-in is named, and not quoted")
  func broken() async throws {
    _ = try silo.folder.write("config/credentials.json", #"{"url": "secret-in-here""#)
    let error = await #expect(throws: DownloadError.self) { try await silo.session() }
    #expect(error?.code == .config)
    #expect(error?.description.contains("secret-in-here") == false)
    _ = try await silo.signIn()
    #expect(silo.stored.contains("refresh-1"))
  }

  @Test("nobody signed in is a sign-in that is needed")
  func nobody() async throws {
    let error = await #expect(throws: DownloadError.self) { try await silo.session() }
    #expect(error?.code == .auth)
  }
}
