import Foundation
import SiloContract
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Renewal of tokens", .timeLimit(.minutes(5)))
struct TokenRenewalTests {
  let silo: ScriptedSilo

  init() throws { silo = try ScriptedSilo() }

  @Test(
    "a token that ended is renewed once for all requests of all sessions, and stored before it is used"
  )
  func once() async throws {
    _ = try await silo.signIn()
    silo.expire()
    let wasStored = Mutex<[Bool]>([])
    silo.server.on("/api/v1/auth/me") { [silo] request, _ in
      let bearer = request.header("Authorization") ?? ""
      if bearer.contains("access-2") {
        wasStored.withLock { $0.append(silo.stored.contains("refresh-2")) }
      }
      return silo.asks(request, #"{"id":7,"username":"ada"}"#)
    }
    // Two processes, as far as the file can tell: each session has its own memory.
    let sessions = [try await silo.session(), try await silo.session()]
    try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<12 {
        group.addTask { try await sessions[index % 2].me().username }
      }
      for try await name in group { #expect(name == "ada") }
    }
    #expect(silo.state.withLock { $0.refreshes } == 1)
    #expect(wasStored.withLock { $0.count } == 12 && wasStored.withLock { $0.allSatisfy { $0 } })
  }

  @Test("a renewal that is refused ends as a sign-in that is needed, and forgets nothing")
  func refused() async throws {
    _ = try await silo.signIn()
    let before = silo.stored
    silo.expire()
    silo.state.withLock { $0.refusesRefresh = true }
    let session = try await silo.session()
    let error = await #expect(throws: DownloadError.self) { try await session.me() }
    #expect(error?.code == .auth)
    #expect(silo.stored == before)
    #expect(silo.server.requests(for: "/api/v1/auth/refresh").count == 1)
  }

  @Test("a server that fails meanwhile costs no sign-in: the token is tried again")
  func failing() async throws {
    _ = try await silo.signIn()
    silo.expire()
    silo.server.on("/api/v1/auth/refresh") { _, _ in .status(503) }
    let session = try await silo.session()
    let error = await #expect(throws: DownloadError.self) { try await session.me() }
    #expect(error?.code == .temporary)
    #expect(silo.stored.contains("refresh-1"))
  }

  @Test("a file that takes no other sign-in costs none: the server is not asked for it")
  func unwritable() async throws {
    _ = try await silo.signIn()
    let before = silo.stored
    silo.expire()
    // Where the next one is written before it gets its name.
    let obstacle = silo.file.path + ".new"
    try FileManager.default.createDirectory(
      atPath: obstacle, withIntermediateDirectories: false)
    let session = try await silo.session()
    let error = await #expect(throws: DownloadError.self) { try await session.me() }
    #expect(error?.code == .config)
    #expect(silo.server.requests(for: "/api/v1/auth/refresh").isEmpty && silo.stored == before)
    try FileManager.default.removeItem(atPath: obstacle)
    #expect(try await silo.session().me().username == "ada")
    #expect(silo.stored.contains("refresh-2"))
  }

  @Test("a key is never renewed")
  func key() async throws {
    _ = try await silo.signIn(.key("sa_key"))
    silo.server.on("/api/v1/auth/me") { _, _ in .json(#"{"error":"unauthorized"}"#, status: 401) }
    let session = try await silo.session()
    let error = await #expect(throws: DownloadError.self) { try await session.me() }
    #expect(error?.code == .auth)
    #expect(silo.server.requests(for: "/api/v1/auth/refresh").isEmpty)
  }
}
