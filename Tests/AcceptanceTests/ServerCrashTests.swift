import Foundation
import SiloTestSupport
import Testing

/// The embedded server killed at its own calls, and on a disk that is full: what it said is kept, and what it could not keep it says.
@Suite("A server that is killed, or has no room")
struct ServerCrashTests {
  private static let filmCount = 5

  private let tool: Tool
  private let media: TemporaryFolder

  init() async throws {
    tool = try Tool()
    media = try TemporaryFolder()
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    for number in 1...Self.filmCount {
      // A Void element behind each, so that no two are equal.
      try media.write("Film \(number) (2020).mkv", film + [0xEC, 0x81, UInt8(number)])
    }
  }

  /// A server that answers.
  private struct Served {
    let process: RunningCommand
    let url: String
    let key: String

    /// The status, and the body, of a request; 0 when the server is gone.
    func send(
      _ method: String, _ path: String, _ body: String? = nil, _ fields: [String] = []
    ) async throws -> (status: Int, body: [String: Any]) {
      let data = body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
      let result = try await SiloTestSupport.run(
        "curl",
        [
          "-s", "-m", "60", "-X", method, "-w", "\n%{http_code}", "-H",
          "Authorization: Bearer \(key)",
        ] + data + fields.flatMap { ["-H", $0] } + [url + "/api/v1" + path])
      let text = result.stdout
      let end = text.lastIndex(of: "\n") ?? text.startIndex
      let json = try? JSONSerialization.jsonObject(with: Data(text[..<end].utf8))
      return (Int(text[end...].dropFirst()) ?? 0, json as? [String: Any] ?? [:])
    }

    /// The ids of all films.
    func films() async throws -> [String] {
      let items = try await send("GET", "/catalog?limit=100").body["items"] as? [[String: Any]]
      return (items ?? []).compactMap { $0["content_id"] as? String }
    }

    /// The fields of a device of the first profile; `nil` when the server is gone.
    func device() async throws -> [String]? {
      let profiles = try await send("GET", "/profiles").body["profiles"] as? [[String: Any]]
      return (profiles?.first?["id"] as? String).map {
        ["X-Silo-Device-Id: dev", "X-Profile-Id: \($0)"]
      }
    }

    /// The rows of a device: the film of each.
    func rows(_ device: [String]) async throws -> [String: String] {
      let rows = try await send("GET", "/downloads", nil, device).body["downloads"]
      return try #require(rows as? [[String: Any]]).reduce(into: [:]) { found, row in
        found[row["id"] as? String ?? ""] = row["content_id"] as? String
      }
    }

    func stop() async throws {
      process.signal(SIGTERM)
      _ = try await process.result(timeout: .seconds(30))
    }
  }

  /// Starts a server over `data`; `nil` with what it said when it ended before it answered.
  private func start(
    _ data: TemporaryFolder, _ fault: SystemFault? = nil
  ) async throws -> (served: Served?, process: RunningCommand) {
    let variables = try fault?.environment(below: data.path, log: tool.folder.path("calls"))
    let process = try tool.start(
      ["serve", media.path, "--listen", "127.0.0.1:0", "--json", "--data", data.path],
      variables ?? [:])
    guard let line = try? await process.line(where: { $0.contains("listening") }),
      let listening = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let url = listening["url"] as? String, let file = listening["api_key_file"] as? String
    else { return (nil, process) }
    let key = try String(contentsOfFile: file, encoding: .utf8)
    return (
      Served(
        process: process, url: url, key: key.trimmingCharacters(in: .whitespacesAndNewlines)),
      process
    )
  }

  /// How many calls a start makes below its data, as long as nothing of the folder is new.
  private func callCount(
    _ data: TemporaryFolder, of kinds: Set<SystemFault.Kind> = Set(SystemFault.Kind.allCases),
    by callers: Set<SystemFault.Caller> = Set(SystemFault.Caller.allCases)
  ) async throws -> Int {
    let log = tool.folder.path("calls")
    let process = try tool.start(
      ["serve", media.path, "--listen", "127.0.0.1:0", "--json", "--data", data.path],
      try SystemFault.counting(kinds, by: callers, below: data.path, log: log))
    _ = try await process.line { $0.contains("listening") }
    let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
    process.signal(SIGTERM)
    _ = try await process.result(timeout: .seconds(30))
    return count
  }

  @Test(
    "killed in its first start and scan: the next start has everything", .timeLimit(.minutes(10)))
  func scan() async throws {
    let count = try await callCount(TemporaryFolder())
    try #require(count > 8)
    for step in 0..<8 {
      let data = try TemporaryFolder()
      let effect: SystemFault.Effect = step % 2 == 0 ? .killHalf : .killAfter
      let fault = SystemFault(at: 1 + step * (count - 1) / 8, effect)
      let first = try await start(data, fault)
      // What the number of calls was counted without may end before it comes to that call.
      first.process.signal(SIGKILL)
      #expect(try await first.process.result().status == 128 + SIGKILL)
      let (again, process) = try await start(data)
      let served = try #require(again, "\(fault): \(process.errorsSoFar)")
      #expect(try await served.send("GET", "/auth/me").status == 200, "\(fault)")
      #expect(try await served.films().count == Self.filmCount, "\(fault)")
      try await served.stop()
    }
  }

  @Test(
    "killed while it registers: a row that was answered is there, once", .timeLimit(.minutes(10)))
  func registration() async throws {
    let count = try await callCount(TemporaryFolder())
    for step in 0..<6 {
      let data = try TemporaryFolder()
      let effect: SystemFault.Effect = step % 2 == 0 ? .killHalf : .killAfter
      let fault = SystemFault(at: count + 1 + step * 4, effect)
      let (first, process) = try await start(data, fault)
      var answered: [String: String] = [:]
      if let first {
        let films = try await first.films()
        // It may be gone by now.
        let device = try await first.device() ?? []
        for film in films {
          let row = try await first.send(
            "POST", "/downloads", "{\"content_id\":\"\(film)\"}", device)
          if row.status == 202, let id = row.body["id"] as? String { answered[id] = film }
        }
      }
      process.signal(SIGKILL)
      _ = try await process.result()
      let served = try #require(try await start(data).served, "\(fault)")
      let device = try #require(try await served.device())
      let kept = try await served.rows(device)
      for (id, film) in answered { #expect(kept[id] == film, "\(fault)") }
      for film in try await served.films() {
        let row = try await served.send(
          "POST", "/downloads", "{\"content_id\":\"\(film)\"}", device)
        #expect(row.status == 202 && row.body["revision"] as? Int == 1, "\(fault)")
      }
      let all = try await served.rows(device)
      #expect(all.count == Self.filmCount && Set(all.values).count == Self.filmCount, "\(fault)")
      try await served.stop()
    }
  }

  @Test("without room it says so, keeps what it had, and goes on when there is room")
  func fullDisk() async throws {
    let data = try TemporaryFolder()
    let nothing = try TemporaryFolder()
    let full = try await start(nothing, SystemFault(at: 1, .error(ENOSPC), times: nil))
    #expect(full.served == nil)
    let result = try await full.process.result()
    #expect(result.status == 9 && result.stderr.contains("The disk is full"), "\(result.stderr)")

    let first = try #require(try await start(data).served)
    let device = try #require(try await first.device())
    let films = try await first.films()
    let wish = { (film: String) in "{\"content_id\":\"\(film)\"}" }
    #expect(try await first.send("POST", "/downloads", wish(films[0]), device).status == 202)
    let before = try await first.rows(device)
    try await first.stop()

    // A film more is there, and nothing can be written of it: the disk is full when all is open.
    let count = try await callCount(data, of: [.write], by: [.database])
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    try media.write("Late (2021).mkv", film + [0xEC, 0x81, 99])
    let fault = SystemFault(
      at: count + 1, .error(ENOSPC), times: nil, of: [.write], by: [.database])
    let (served, process) = try await start(data, fault)
    let second = try #require(served, "\(process.errorsSoFar)")
    let refused = try await second.send("POST", "/downloads", wish(films[1]), device)
    #expect(refused.status == 500 && refused.body["error"] as? String == "internal_error")
    #expect(refused.body["message"] as? String == "The disk of the server is full.")
    // What needs no room works.
    #expect(try await second.rows(device) == before)
    #expect(try await second.films().sorted() == films.sorted())
    process.signal(SIGTERM)
    let words = try await process.result().stderr
    #expect(
      words.contains(
        "warning: the folder could not be looked at, what was known stays: The disk is full\n"),
      "\(words)")
    let third = try #require(try await start(data).served)
    #expect(try await third.rows(device) == before)
    #expect(try await third.films().count == Self.filmCount + 1)
    #expect(try await third.send("POST", "/downloads", wish(films[1]), device).status == 202)
    try await third.stop()
  }
}
