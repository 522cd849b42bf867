import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// The keys of every answer of the download and account routes, beside those of the contract's examples: none is missing that
/// is set, none is there that is not.
@Suite struct ContractKeyTests {
  private static let row = [
    "id", "content_id", "media_file_id", "file_size", "bytes_sent", "kind", "status", "quality",
    "effective_quality", "delivery_format", "target_bitrate_kbps", "revision", "created_at",
  ]
  private static let manifest =
    [
      "download_id", "content_id", "type", "revision", "quality", "effective_quality",
      "delivery_format", "target_bitrate_kbps", "media_file_id", "file_size", "title", "container",
      "codec_video", "codec_audio", "resolution", "hdr", "duration_seconds",
      "selected_audio_track_index", "audio_tracks", "artwork_urls", "subtitles", "stable_identity",
      "integrity", "manifest_version", "generated_at",
    ]
    + ["index", "language", "codec", "channels", "default"].map { "audio_tracks." + $0 }
    + ["stable_type"].map { "stable_identity." + $0 }
    + ["expected_bytes", "metadata_etag"].map { "integrity." + $0 }
  private static let subtitle = [
    "language", "format", "forced", "hearing_impaired", "external", "fetch_url", "file_size",
  ].map { "subtitles." + $0 }

  /// The keys of a JSON value, those of objects in it with the key above; elements of a list together.
  private static func keys(_ value: Any, _ above: String = "") -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.reduce(into: []) { found, entry in
        found.insert(above + entry.key)
        found.formUnion(keys(entry.value, above + entry.key + "."))
      }
    case let list as [Any]: list.reduce(into: []) { $0.formUnion(keys($1, above)) }
    default: []
    }
  }

  private static func below(_ name: String, _ keys: [String]) -> [String] {
    [name] + keys.map { name + "." + $0 }
  }

  private func expect(
    _ answer: SignedInServer.Answer, _ keys: [String], _ what: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let value = try JSONSerialization.jsonObject(with: Data(answer.body))
    let found = Self.keys(value)
    #expect(
      found == Set(keys),
      "\(what): missing \(Set(keys).subtracting(found)), too many \(found.subtracting(keys))",
      sourceLocation: location)
  }

  @Test func `Downloads have the keys of the contract`() async throws {
    let served = try await SignedInServer()
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", [1, 2])
    try served.shelf.addSeries("series", [("e1", 1, [1]), ("e2", 1, nil)])
    try served.media.write("poster.jpg", [1])
    served.shelf.change { contents in
      contents.artwork["film/poster"] = "poster.jpg"
      contents.files[MediaFileID(1)]?.hash = "0000000000030d40"
      contents.files[MediaFileID(1)]?.subtitles = [
        ShelfSubtitle(language: "tr", format: "srt", byteCount: 2)
      ]
      contents.items["film"]?.year = 2024
      contents.items["film"]?.overview = "Long."
      contents.items["film"]?.imdbID = "tt1"
    }
    let device = try await served.device()
    let managed = Self.row + ["device_id"]
    try expect(
      try await served.send("GET", "/downloads/capability"),
      [
        "enabled", "download_allowed", "quality_presets", "transcode_enabled",
        "transcode_user_allowed", "season_download", "series_monitoring",
      ], "capability")
    let film = try await served.send("POST", "/downloads", "{\"content_id\":\"film\"}", device)
    try expect(film, managed, "a film")
    try expect(
      try await served.send("POST", "/downloads", "{\"content_id\":\"film\"}"), Self.row,
      "a row of the account")
    let season = try await served.send(
      "POST", "/downloads", "{\"content_id\":\"series\",\"series\":true}", device)
    let episode = managed + ["episode_id", "batch_id"]
    try expect(
      season,
      Self.below("downloads", episode) + Self.below("skipped", ["episode_id", "reason"]), "a season"
    )
    let id = try film.value(DownloadRow.self).id
    _ = try await served.send("PATCH", "/downloads/\(id)", "{\"status\":\"completed\"}", device)
    try expect(
      try await served.send("GET", "/downloads", nil, device),
      Self.below("downloads", episode + ["completed_at"]), "the list")
    let whole =
      Self.manifest + Self.subtitle + [
        "year", "overview", "artwork_urls.poster", "integrity.media_file_hash",
        "stable_identity.provider_ids", "stable_identity.provider_ids.imdb",
      ]
    try expect(
      try await served.send("GET", "/downloads/\(id)/manifest", nil, device), whole, "a manifest")
    guard case .batch(let batch) = try season.value(CreateAnswer.self),
      let number = batch.downloads.first?.batchID
    else {
      Issue.record("no batch")
      return
    }
    let ofEpisode =
      Self.manifest + [
        "episode_id", "series_id", "series_title", "season_number", "episode_number",
        "stable_identity.season", "stable_identity.episode",
      ]
    try expect(
      try await served.send("GET", "/downloads/batches/\(number)/manifests", nil, device),
      Self.below("manifests", ofEpisode), "manifests of a batch")
    try expect(
      try await served.send("GET", "/downloads/1/manifest", nil, device), ["error", "message"],
      "a refusal")
    await served.stop()
  }

  @Test func `Accounts have the keys of the contract`() async throws {
    let served = try await SignedInServer { $0.account = ("ayse", "gizli") }
    let account = ["id", "username", "role", "permissions", "download_allowed"]
    let tokens = ["access_token", "refresh_token", "expires_in"]
    let wish = "{\"username\":\"ayse\",\"password\":\"gizli\"}"
    let login = try await served.send("POST", "/auth/login", wish, token: "")
    try expect(login, tokens + Self.below("user", account), "login")
    let secret = try login.value(Tokens.self).refreshToken ?? ""
    try expect(
      try await served.send(
        "POST", "/auth/refresh", "{\"refresh_token\":\"\(secret)\"}", token: ""),
      tokens, "refresh")
    try expect(try await served.send("GET", "/auth/me"), account, "me")
    let start = try await served.send("POST", "/auth/device/start", "{}", token: "")
    try expect(
      start,
      [
        "device_code", "user_code", "match_code", "verification_uri", "verification_uri_complete",
        "expires_at", "expires_in", "interval",
      ], "a device's code")
    let code = try start.value(DeviceCode.self).deviceCode
    try expect(
      try await served.send(
        "POST", "/auth/device/poll", "{\"device_code\":\"\(code)\"}", token: ""),
      ["status", "poll_after"], "a poll")
    let profile = try await served.send(
      "POST", "/profiles", "{\"name\":\"Kids\",\"pin\":\"1234\"}")
    let id = try profile.value(Profile.self).id
    try expect(
      try await served.send("POST", "/profiles/\(id)/verify-pin", "{\"pin\":\"1234\"}"),
      ["valid", "profile_token", "expires_at"], "a right PIN")
    try expect(
      try await served.send("POST", "/profiles/\(id)/verify-pin", "{\"pin\":\"0000\"}"), ["valid"],
      "a wrong PIN")
    await served.stop()
  }
}
