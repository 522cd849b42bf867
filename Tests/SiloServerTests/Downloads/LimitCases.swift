import Foundation
import SiloContract
import SiloStore
import SiloTestSupport
import Testing

@testable import SiloServer

/// Limits, rows of others, and rows that no request of this server makes.
@Suite struct LimitCases {
  /// The rows of the table that are asked here.
  static let cases: [ConformanceCase] = [
    ConformanceCase([10, 24], "gates, and a cap that only asks for what takes a slot") {
      try await Self().gates()
    },
    ConformanceCase([25, 26], "a batch needs one slot, and counts as a whole") {
      try await Self().quota()
    },
    ConformanceCase([27], "of many at once exactly one gets the slot") { try await Self().race() },
    ConformanceCase([28, 29, 34, 35], "nobody sees or touches another's rows") {
      try await Self().others()
    },
    ConformanceCase([23, 33, 43, 44, 54], "rows that are not served") {
      try await Self().inactive()
    },
  ]

  private func served(
    _ change: (inout MediaServer.Options) -> Void = { _ in }
  ) async throws -> SignedInServer {
    let served = try await SignedInServer(change)
    try fill(served)
    return served
  }

  private func fill(_ served: SignedInServer) throws {
    for number in 1...6 {
      try served.shelf.addFilm("f\(number)", file: Int64(number), name: "\(number).mkv", [1, 2])
    }
    try served.shelf.addSeries("series", (1...10).map { ("e\($0)", 1, [UInt8($0)]) })
  }

  private func film(_ number: Int) -> String { "{\"content_id\":\"f\(number)\"}" }
  private let series = "{\"content_id\":\"series\",\"series\":true}"

  private func gates() async throws {
    let gates: [(String, (inout DownloadLimits) -> Void, String)] = [
      ("5mbps", { $0.transcodes = false }, "403 transcode_disabled"),
      ("5mbps", { $0.deniedTranscoding = ["admin"] }, "403 forbidden"),
      ("original", { $0.areEnabled = false }, "403 feature_disabled"),
      ("original", { $0.denied = ["admin"] }, "403 forbidden"),
      ("remux", { $0.areEnabled = false }, "403 feature_disabled"),
    ]
    for (quality, change, outcome) in gates {
      let served = try await served { change(&$0.limits) }
      let answer = try await served.send(
        "POST", "/downloads", "{\"content_id\":\"f1\",\"quality\":\"\(quality)\"}",
        try await served.device())
      #expect(answer.outcome == outcome)
      await served.stop()
    }
    let served = try await served { $0.limits.mostConcurrent = 3 }
    let device = try await served.device()
    for number in 1...3 {
      let row = try await served.register(film(number), device)
      let patch = try await served.send(
        "PATCH", "/downloads/\(row.id)", "{\"status\":\"downloading\"}", device)
      #expect(patch.status == 204)
    }
    // An original of a device is ready at once and takes no slot; the account's own row and a batch need one.
    #expect(try await served.send("POST", "/downloads", film(4), device).status == 202)
    for (body, fields) in [(film(5), []), (series, device)] {
      let answer = try await served.send("POST", "/downloads", body, fields)
      #expect(answer.outcome == "429 download_limit_exceeded")
      #expect(answer.headers["retry-after"] == nil)
    }
    await served.stop()
  }

  private func quota() async throws {
    let slots = try await served { $0.limits.mostConcurrent = 3 }
    for number in 1...2 {
      #expect(try await slots.send("POST", "/downloads", film(number)).status == 202)
    }
    #expect(
      try await slots.send("POST", "/downloads", series, try await slots.device()).status == 202)
    await slots.stop()

    let counted = try await served { $0.limits.quota = 10 }
    let device = try await counted.device()
    #expect(try await counted.send("POST", "/downloads", film(1), device).status == 202)
    #expect(
      try await counted.send("POST", "/downloads", series, device).outcome
        == "429 download_quota_exceeded")
    counted.clock.move(by: 24 * 3600 + 1)
    #expect(try await counted.send("POST", "/downloads", series, device).status == 202)
    // What is registered already costs nothing.
    #expect(try await counted.send("POST", "/downloads", series, device).status == 202)
    #expect(
      try await counted.send("POST", "/downloads", film(2), device).outcome
        == "429 download_quota_exceeded")
    await counted.stop()
  }

  private func race() async throws {
    let served = try await served { $0.limits.mostConcurrent = 1 }
    let body = film(1)
    let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try await served.send("POST", "/downloads", body).outcome }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == "202" } == 1)
    #expect(outcomes.count { $0 == "429 download_limit_exceeded" } == 7)
    await served.stop()
  }

  private func others() async throws {
    let served = try await SignedInServer.withSecondAccount("other", "password")
    try fill(served)
    let token = try await served.signIn("other", "password")
    let kids = try await served.send("POST", "/profiles", "{\"name\":\"Kids\"}").value(
      Profile.self)
    let mine = try await served.device()
    let foreign = try await served.send("GET", "/profiles", token: token).value(ProfileList.self)
      .profiles[0].id
    #expect(try await served.send("GET", "/downloads", nil, mine).text == "{\"downloads\":[]}")
    let row = try await served.register(film(1), mine)
    let viewers: [(String, String?, [String])] = [
      ("another device", nil, try await served.device("dev-2")),
      ("another profile", nil, try await served.device(profile: kids.id)),
      ("no device", nil, []),
      ("another account", token, try await served.device(profile: foreign)),
    ]
    let path = "/downloads/\(row.id)"
    for (name, token, fields) in viewers {
      let list = try await served.send("GET", "/downloads", nil, token: token, fields)
      #expect(list.text == "{\"downloads\":[]}", "\(name)")
      for (method, end, body) in [
        ("GET", "/file", nil), ("GET", "/manifest", nil), ("GET", "/artwork/poster", nil),
        ("GET", "/subtitles/external:0", nil), ("DELETE", "", nil),
        ("PATCH", "", "{\"status\":\"completed\"}"),
      ] as [(String, String, String?)] {
        let answer = try await served.send(method, path + end, body, token: token, fields)
        let isManaged = !fields.isEmpty || end == "/file" || method == "DELETE"
        let outcome = isManaged ? "404 not_found" : "400 device_id_required"
        #expect(answer.outcome == outcome, "\(name): \(method) \(end)")
      }
    }
    // Somebody else's profile is none at all.
    #expect(try await served.send("GET", "/downloads", nil, token: token, mine).status == 404)
    #expect(try await served.send("DELETE", path, nil, mine).status == 204)
    #expect(try await served.send("DELETE", path, nil, mine).outcome == "404 not_found")
    #expect(try await served.register(film(1), mine).id != row.id)
    await served.stop()
  }

  private func inactive() async throws {
    let served = try await served()
    let device = try await served.device()
    for (number, status) in ["preparing", "failed", "revoked"].enumerated() {
      let row = try await served.register(film(number + 1), device)
      try set(row, status, served)
      let path = "/downloads/\(row.id)"
      let patch = try await served.send("PATCH", path, "{\"status\":\"completed\"}", device)
      #expect(patch.outcome == "404 not_found", "\(status)")
      let file = try await served.send("GET", path + "/file", nil, device)
      #expect(file.outcome == "409 download_inactive", "\(status)")
      let manifest = try await served.send("GET", path + "/manifest", nil, device)
      #expect(manifest.outcome == (status == "revoked" ? "409 download_inactive" : "200"))
      let listed = try await served.send("GET", "/downloads", nil, device).value(DownloadList.self)
      #expect(listed.downloads[0].status.rawValue == status)
      let again = try await served.register(film(number + 1), device)
      #expect(again.id == row.id)
      #expect(again.revision == (status == "preparing" ? 1 : 2), "\(status)")
      #expect(again.status.rawValue == (status == "preparing" ? status : "ready"))
    }
    await served.stop()
  }

  @Test func `Rows without a device go their own way`() async throws {
    let served = try await served()
    let row = try await served.register(film(1), [])
    #expect(row.status == .queued && row.deviceID == nil)
    let second = try await served.register(film(1), [])
    #expect(second.id != row.id)
    let path = "/downloads/\(row.id)"
    #expect(try await served.send("GET", path + "/file").body == [1, 2])
    var listed = try await self.row(row.id, of: served)
    #expect(listed?.status == .completed && listed?.bytesSent == 2)
    #expect(try await served.send("GET", path + "/file", nil, ["Range: bytes=1-"]).body == [2])
    #expect(try await served.send("DELETE", path).status == 204)
    #expect(try await self.row(row.id, of: served) == nil)

    let cancelled = try await served.register(film(2), [])
    #expect(try await served.send("DELETE", "/downloads/\(cancelled.id)").status == 204)
    listed = try await self.row(cancelled.id, of: served)
    #expect(listed?.status == .cancelled)
    #expect(
      try await served.send("GET", "/downloads/\(cancelled.id)/file").outcome
        == "409 download_inactive")
    #expect(
      try await served.send(
        "PATCH", "/downloads/\(cancelled.id)", "{\"status\":\"completed\"}"
      ).outcome
        == "400 device_id_required")
    served.clock.move(by: 7 * 24 * 3600 + 1)
    _ = try await served.register(film(3), [])
    #expect(try await self.row(cancelled.id, of: served) == nil)
    await served.stop()
  }

  private func row(_ id: DownloadID, of served: SignedInServer) async throws -> DownloadRow? {
    try await served.send("GET", "/downloads").value(DownloadList.self).downloads.first {
      $0.id == id
    }
  }

  /// Puts a row into a status that only a server with more than this one's means sets.
  private func set(_ row: DownloadRow, _ status: String, _ served: SignedInServer) throws {
    let connection = try Connection.open(served.data.path("server.sqlite"), journal: .asStored)
    try connection.run(
      "UPDATE download SET status = ? WHERE id = ?",
      [.text(status), .integer(Int64(row.id.text) ?? 0)])
  }
}
