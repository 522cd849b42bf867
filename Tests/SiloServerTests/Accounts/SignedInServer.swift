import Foundation
import SiloContract
import SiloTestSupport
import Synchronization

@testable import SiloServer

/// A server with accounts and an in-memory catalog, and what a client does with it.
final class SignedInServer: Sendable {
  let media: TemporaryFolder
  let data: TemporaryFolder
  let shelf: MemoryShelf
  let server: MediaServer
  let clock: TestClock
  /// The key of the first account.
  let key: String

  /// A clock that stands until it is moved.
  final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(1_800_000_000)
    var now: Int64 { seconds.withLock { $0 } }
    func move(by step: Int64) { seconds.withLock { $0 += step } }
  }

  init(
    data: TemporaryFolder? = nil, _ change: (inout MediaServer.Options) -> Void = { _ in }
  ) async throws {
    media = try TemporaryFolder()
    self.data = try data ?? TemporaryFolder()
    shelf = MemoryShelf(in: media)
    let clock = TestClock()
    self.clock = clock
    var options = MediaServer.Options(folder: media.url)
    options.data = self.data.url
    options.shelf = shelf
    options.now = { clock.now }
    change(&options)
    server = try await MediaServer.start(options)
    let text = String(decoding: try self.data.read("api-key"), as: UTF8.self)
    key = text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A server with a second account, of which the name and the password are given; the key is that of the first.
  static func withSecondAccount(_ name: String, _ password: String) async throws -> SignedInServer {
    let first = try await SignedInServer()
    await first.stop()
    return try await SignedInServer(data: first.data) { $0.account = (name, password) }
  }

  /// Signs in with a password; the access token.
  func signIn(_ name: String, _ password: String) async throws -> String {
    let wish = "{\"username\":\"\(name)\",\"password\":\"\(password)\"}"
    return try await send("POST", "/auth/login", wish, token: "").value(Tokens.self).accessToken
  }

  /// What the server answered.
  struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
    }
    /// The code of a refusal.
    var error: String? { json["error"] as? String }
    /// The status and the code, as tables have it.
    var outcome: String { error.map { "\(status) \($0)" } ?? "\(status)" }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try ContractJSON.decode(type, from: body)
    }
  }

  /// Sends a request below `/api/v1`, with the key unless `token` says otherwise ("" for none).
  func send(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil,
    _ fields: [String] = []
  ) async throws -> Answer {
    var arguments = ["-s", "-g", "--path-as-is", "-m", "100", "-D", "/dev/stderr"]
    arguments += method == "HEAD" ? ["-I", "-o", "/dev/null"] : ["-X", method]
    let secret = token ?? key
    if !secret.isEmpty { arguments += ["-H", "Authorization: Bearer \(secret)"] }
    // From a file: an argument has a limit.
    let text = try body.map { try media.write(".body-\(UUID())", $0) }
    defer { if let text { try? FileManager.default.removeItem(atPath: text) } }
    if let text {
      arguments += ["-H", "Content-Type: application/json", "--data-binary", "@" + text]
    }
    arguments += fields.flatMap { ["-H", $0] }
    let result = try await runSuccessfully(
      "curl", arguments + [server.url.absoluteString + "api/v1" + path])
    let lines = String(decoding: result.errors, as: UTF8.self).split(separator: "\r\n")
    // After "100 Continue" comes the answer itself.
    let start = lines.lastIndex { $0.hasPrefix("HTTP/") } ?? 0
    var headers: [String: String] = [:]
    for line in lines[start...].dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    let status = lines[start].split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Answer(status: status ?? 0, headers: headers, body: result.output)
  }

  /// The id of the first account's first profile.
  func profile() async throws -> String {
    let list = try await send("GET", "/profiles").value(ProfileList.self)
    return list.profiles.first?.id ?? ""
  }

  /// The fields that a device sends.
  func device(_ name: String = "dev-1", profile: String? = nil) async throws -> [String] {
    let id = if let profile { profile } else { try await self.profile() }
    return ["X-Silo-Device-Id: \(name)", "X-Profile-Id: \(id)"]
  }

  /// Registers and returns the row.
  func register(_ body: String, _ fields: [String]) async throws -> DownloadRow {
    try await send("POST", "/downloads", body, fields).value(DownloadRow.self)
  }

  func stop() async { await server.stop() }
}
