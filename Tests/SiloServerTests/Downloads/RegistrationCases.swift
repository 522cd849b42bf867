import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// The cases of the contract that a server without a prepare pipeline can be asked, by their numbers, over real sockets.
@Suite struct RegistrationCases {
  /// The rows of the table that are asked here.
  static let cases: [ConformanceCase] = [
    ConformanceCase([1, 3, 4], "what an account may do") { try await Self().capability() },
    ConformanceCase(
      Array(5...10) + [15, 16, 18, 19, 30, 31, 33, 45, 50, 56, 57, 58], "requests and refusals"
    ) { try await Self().refusals() },
    ConformanceCase([5, 7, 16, 17, 20, 22, 32], "rows as they are made, made again, and confirmed")
    { try await Self().rows() },
  ]

  static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// One request and what is expected of it: `STATUS` or `STATUS code`.
  struct Row: Sendable {
    let number: String
    let method: String
    let path: String
    var body: String?
    var fields: [String] = []
    var isSignedIn = true
    let outcome: String

    init(
      _ number: String, _ method: String, _ path: String, _ body: String? = nil,
      _ fields: [String] = [], isSignedIn: Bool = true, _ outcome: String
    ) {
      (self.number, self.method, self.path, self.body) = (number, method, path, body)
      (self.fields, self.isSignedIn, self.outcome) = (fields, isSignedIn, outcome)
    }
  }

  private func served(
    _ change: (inout MediaServer.Options) -> Void = { _ in }
  ) async throws -> SignedInServer {
    let served = try await SignedInServer(change)
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", Self.content)
    try served.shelf.addFilm("uhd", file: 2, name: "uhd.mkv", [1, 2, 3], resolution: "2160p")
    try served.shelf.addSeries(
      "series", [("s0", 0, [1]), ("e1", 1, [1, 2]), ("e2", 1, nil), ("e3", 2, [1, 2, 3])])
    try served.shelf.addSeries("empty", [("x1", 1, nil)])
    return served
  }

  private func ask(_ rows: [Row], _ served: SignedInServer) async throws {
    for row in rows {
      let answer = try await served.send(
        row.method, row.path, row.body, token: row.isSignedIn ? nil : "", row.fields)
      #expect(answer.outcome == row.outcome, "case \(row.number): \(row.method) \(row.path)")
    }
  }

  private func capability() async throws {
    let open = try await served()
    try await ask(
      [Row("1", "GET", "/downloads/capability", isSignedIn: false, "401 unauthorized")], open)
    let four = try await open.send("GET", "/downloads/capability")
    #expect(
      four.text == """
        {"download_allowed":true,"enabled":true,"quality_presets":["original"],\
        "season_download":true,"series_monitoring":false,"transcode_enabled":true,\
        "transcode_user_allowed":true}
        """)
    await open.stop()
    let denied = try await served { $0.limits.denied = ["Admin"] }
    let three = try await denied.send("GET", "/downloads/capability")
    #expect(
      three.text == """
        {"download_allowed":false,"enabled":true,"quality_presets":[],\
        "season_download":false,"series_monitoring":false,"transcode_enabled":true,\
        "transcode_user_allowed":true}
        """)
    await denied.stop()
  }

  private func refusals() async throws {
    let served = try await served()
    let device = try await served.device()
    let alone = [device[0]]
    let profileOnly = [device[1]]
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    let path = "/downloads/\(row.id)"
    try await ask(
      [
        Row("6", "POST", "/downloads", "{}", device, "400 bad_request"),
        Row("6", "POST", "/downloads", "{\"content_id\":\"\"}", device, "400 bad_request"),
        Row("6", "POST", "/downloads", "nonsense", device, "400 bad_request"),
        Row("6", "POST", "/downloads", "{\"content_id\":7}", device, "400 bad_request"),
        Row("8", "POST", "/downloads", "{\"content_id\":\"film\"}", alone, "400 profile_required"),
        Row("9", "POST", "/downloads", Self.quality("remux"), device, "400 invalid_quality"),
        Row("9", "POST", "/downloads", Self.quality("4mbps"), device, "400 invalid_quality"),
        Row("10", "POST", "/downloads", Self.quality("5mbps"), device, "501 quality_unavailable"),
        Row(
          "15", "POST", "/downloads",
          "{\"content_id\":\"series\",\"series\":true,\"quality\":\"5mbps\"}", device,
          "501 bulk_quality_unavailable"),
        Row("16", "POST", "/downloads", Self.season(-1), device, "400 bad_request"),
        Row("18", "POST", "/downloads", Self.season(7), device, "404 no_downloadable_episodes"),
        Row(
          "18", "POST", "/downloads", "{\"content_id\":\"empty\",\"series\":true}", device,
          "404 no_downloadable_episodes"),
        Row("19", "POST", "/downloads", "{\"content_id\":\"none\"}", device, "404 not_found"),
        Row(
          "19", "POST", "/downloads", "{\"content_id\":\"film\",\"file_id\":99}", device,
          "404 not_found"),
        Row("19", "POST", "/downloads", "{\"content_id\":\"e1\"}", device, "404 not_found"),
        Row("19", "POST", "/downloads", "{\"content_id\":\"series\"}", device, "404 not_found"),
        Row(
          "19", "POST", "/downloads", "{\"content_id\":\"none\",\"series\":true}", device,
          "404 not_found"),
        Row(
          "1.12/11", "POST", "/downloads", "{\"content_id\":\"film\",\"series\":true}", device,
          "500 internal_error"),
        Row("29", "GET", "/downloads", nil, alone, "400 profile_required"),
        Row("30", "PATCH", path, "{\"status\":\"completed\"}", [], "400 device_id_required"),
        Row("30", "PATCH", path, "{\"status\":\"no\"}", profileOnly, "400 device_id_required"),
        Row("30", "PATCH", path, "{\"status\":\"no\"}", alone, "400 profile_required"),
        Row("31", "PATCH", path, "{\"status\":\"ready\"}", device, "400 invalid_status"),
        Row("31", "PATCH", path, "{\"status\":\"paused\"}", device, "400 invalid_status"),
        Row("31", "PATCH", path, "{}", device, "400 invalid_status"),
        Row("31", "PATCH", "/downloads/1", "{\"status\":\"ready\"}", device, "400 invalid_status"),
        Row("33", "PATCH", "/downloads/1", "{\"status\":\"completed\"}", device, "404 not_found"),
        Row("45", "GET", path + "/file", nil, [], "404 not_found"),
        Row("50", "GET", path + "/manifest", nil, profileOnly, "400 device_id_required"),
        Row("50", "GET", path + "/artwork/poster", nil, [], "400 device_id_required"),
        Row("56", "GET", "/downloads/batches/7/manifests", nil, device, "404 not_found"),
        Row("57", "GET", path + "/artwork/banner", nil, device, "404 not_found"),
        Row("57", "GET", path + "/artwork/series_poster", nil, device, "404 not_found"),
        Row("58", "GET", path + "/subtitles/bogus", nil, device, "400 invalid_subtitle_ref"),
        Row("58", "GET", path + "/subtitles/external:x", nil, device, "400 invalid_subtitle_ref"),
        Row("58", "GET", path + "/subtitles/weird:1", nil, device, "400 invalid_subtitle_ref"),
        Row("58", "GET", path + "/subtitles/external:12", nil, device, "404 not_found"),
        Row("58", "GET", path + "/subtitles/downloaded:7", nil, device, "404 not_found"),
        Row("", "GET", "/downloads/..%2f1/manifest", nil, device, "400 bad_request"),
        Row("", "GET", "/downloads/0\(row.id)/manifest", nil, device, "404 not_found"),
      ], served)
    await served.stop()
  }

  private func rows() async throws {
    let served = try await served()
    let device = try await served.device()
    let five = try await served.send(
      "POST", "/downloads",
      "{\"content_id\":\"film\",\"device_id\":\"other\",\"profile_id\":\"other\",\"extra\":[1]}",
      device)
    let row = try five.value(DownloadRow.self)
    #expect(five.status == 202)
    #expect(
      five.text == """
        {"bytes_sent":0,"content_id":"film","created_at":"2027-01-15T08:00:00Z",\
        "delivery_format":"original","device_id":"dev-1","effective_quality":"original",\
        "file_size":200000,"id":"\(row.id)","kind":"queued","media_file_id":1,\
        "quality":"original","revision":1,"status":"ready","target_bitrate_kbps":0}
        """)
    let again = try await served.register("{\"content_id\":\"film\"}", device)
    #expect(again == row)
    let path = "/downloads/\(row.id)"
    let completed = try await served.send("PATCH", path, "{\"status\":\"completed\"}", device)
    #expect(completed.status == 204 && completed.body.isEmpty)
    served.clock.move(by: 10)
    let kept = try await served.register("{\"content_id\":\"film\"}", device)
    #expect(kept.id == row.id && kept.status == .completed && kept.revision == 1)
    #expect(kept.completedAt?.seconds == 1_800_000_000 && kept.bytesSent == nil)
    #expect(
      try await served.send("PATCH", path, "{\"status\":\"downloading\"}", device).status == 204)
    let listed = try await served.send("GET", "/downloads", nil, device).value(DownloadList.self)
    #expect(listed.downloads.map(\.completedAt) == [nil])
    #expect(listed.downloads.map(\.status) == [.downloading])

    let season = try await served.send("POST", "/downloads", Self.season(0), device)
    let specials = try season.value(CreateAnswer.self)
    guard case .batch(let batch) = specials else {
      Issue.record("no batch")
      return
    }
    #expect(batch.downloads.map(\.episodeID) == ["s0"] && batch.skipped == nil)
    #expect(batch.downloads.map(\.contentID) == ["series"])
    let whole = try await served.send(
      "POST", "/downloads", "{\"content_id\":\"series\",\"series\":true}", device)
    guard whole.status == 202, case .batch(let all) = try whole.value(CreateAnswer.self) else {
      Issue.record("no batch")
      return
    }
    #expect(all.downloads.map(\.episodeID) == ["s0", "e1", "e3"])
    #expect(all.skipped?.map(\.episodeID) == ["e2"] && all.skipped?.map(\.reason) == [.noFile])
    #expect(Set(all.downloads.map(\.batchID)).count == 1 && all.downloads[0].batchID != nil)
    // The special keeps its row and moves to the new batch.
    #expect(all.downloads[0].id == batch.downloads[0].id && all.downloads[0].revision == 1)
    #expect(all.downloads[0].batchID != batch.downloads[0].batchID)
    let episode = try await served.register(
      "{\"content_id\":\"series\",\"episode_id\":\"e3\"}", device)
    #expect(episode.id == all.downloads[2].id)
    await served.stop()
  }

  @Test func `A file of two episodes has a row for each, and a manifest`() async throws {
    let served = try await served()
    let device = try await served.device()
    served.shelf.change { contents in
      let versions = contents.items["e1"]?.versions ?? []
      contents.items["e2"]?.versions = versions
    }
    for _ in 0..<2 {
      let answer = try await served.send("POST", "/downloads", Self.season(1), device)
      guard case .batch(let batch) = try answer.value(CreateAnswer.self) else {
        Issue.record("no batch")
        return
      }
      #expect(batch.downloads.map(\.episodeID) == ["e1", "e2"] && batch.skipped == nil)
      #expect(Set(batch.downloads.map(\.mediaFileID)).count == 1)
      #expect(batch.downloads.map(\.revision) == [1, 1])
      let path = "/downloads/\(batch.downloads[1].id)"
      let manifest = try await served.send("GET", path + "/manifest", nil, device)
      #expect(try manifest.value(OfflineManifest.self).title == "e2")
      #expect(try await served.send("GET", path + "/file", nil, device).body == [1, 2])
    }
    await served.stop()
  }

  @Test func `Revisions rise with another target`() async throws {
    let served = try await served()
    let device = try await served.device()
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    _ = try await served.send(
      "PATCH", "/downloads/\(row.id)", "{\"status\":\"completed\"}", device)
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", Self.content + [1])
    let longer = try await served.register("{\"content_id\":\"film\"}", device)
    #expect(longer.id == row.id && longer.revision == 2 && longer.status == .ready)
    #expect(longer.completedAt == nil && longer.fileSize == 200_001)
    await served.stop()
  }

  static func quality(_ name: String) -> String {
    "{\"content_id\":\"film\",\"quality\":\"\(name)\"}"
  }

  static func season(_ number: Int) -> String {
    "{\"content_id\":\"series\",\"series\":true,\"season_number\":\(number)}"
  }
}
