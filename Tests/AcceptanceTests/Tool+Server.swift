import Foundation
import SiloTestSupport
import Testing

extension Tool {
  /// Signs in at a server by key, or else by the password `correct horse`.
  func signIn(
    at url: String, key: String? = nil, name: String = "ada", profile: String? = nil
  ) async throws {
    let way = key == nil ? ["--username", name, "--password-stdin"] : ["--api-key-stdin"]
    let login = try await SiloTestSupport.run(
      try productPath("silo-fetch"),
      ["login", url] + way + (profile.map { ["--profile", $0] } ?? []),
      environment: environment, input: (key ?? "correct horse") + "\n")
    try #require(login.status == 0, "\(login.stderr)")
  }

  /// The statuses of the rows that this device has at the server.
  func rows() async throws -> [String] {
    let file = folder.path("config/silo-fetch/credentials.json")
    let account = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
        as? [String: Any])
    let credential = try #require(account["credential"] as? [String: [String: String]])
    let key = try #require(credential["key"]?["_0"])
    let profile = try #require((account["profile"] as? [String: Any])?["id"] as? String)
    let device = try #require(account["deviceID"] as? String)
    let url = try #require(account["url"] as? String)
    let answer = try await runSuccessfully(
      "curl",
      [
        "-s", "-H", "Authorization: Bearer \(key)", "-H", "X-Profile-Id: \(profile)", "-H",
        "X-Silo-Device-Id: \(device)", url + "/api/v1/downloads",
      ])
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.stdout.utf8)) as? [String: Any])
    let rows = try #require(list["downloads"] as? [[String: Any]], "\(answer.stdout)")
    return rows.compactMap { $0["status"] as? String }
  }

  /// The media files in the folder, and what lies beside them while they are made.
  func media() throws -> [String] {
    try leftovers().filter { $0.hasSuffix(".mkv") || $0.contains(".part") }
  }

  /// The bytes of a file in the folder; `nil` when it is not there.
  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder.path(name)).map(Array.init)
  }

  /// Whether a file of the folder has these bytes; a difference is not spelled out.
  func has(_ name: String, _ wanted: [UInt8]) -> Bool { bytes(name) == wanted }
}

/// A film and what it becomes when its title is changed: another file of the same length.
struct TwoFilms {
  let first: [UInt8]
  let second: [UInt8]

  init() async throws {
    let data = try Data(contentsOf: URL(filePath: try await Film.mkv.path()))
    first = [UInt8](data)
    var other = data
    let title = try #require(other.range(of: Data("Four Languages".utf8)))
    other.replaceSubrange(title, with: Data("Five Languages".utf8))
    second = [UInt8](other)
  }
}
