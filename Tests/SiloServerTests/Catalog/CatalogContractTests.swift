import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// Every answer of the catalog, of the keys and of the profiles, key by key beside those of the servers of the contract: name,
/// type, whether it is there when there is nothing to tell, and order.
@Suite("The catalog beside the contract", .timeLimit(.minutes(5)))
struct CatalogContractTests {
  /// Lines below a key: `"" : "a text"` as `key.a text`.
  private static func below(_ path: String, _ lines: [String]) -> [String] {
    lines.map { path + "." + $0 }
  }

  private static let leastEntry = [
    "content_id text", "type text", "title text", "genres []", "keywords []", "status text",
  ]
  private static let leastItem = [
    "content_id text", "type text", "title text", "genres []", "cast []", "crew []", "studios []",
    "networks []", "versions []", "subtitles []",
  ]
  private static let told = [
    "year integer", "runtime integer", "genres[] text", "overview text", "poster_url text",
  ]
  private static let version =
    [
      "file_id integer", "file_name text", "resolution text", "codec_video text",
      "codec_audio text", "hdr flag", "container text", "file_size integer", "duration integer",
      "bitrate integer", "added_at text", "effective_audio_track_index integer",
      "effective_audio_language text",
    ]
    + below(
      "audio_tracks[]",
      [
        "title text", "embedded_title text", "language text", "codec text", "layout text",
        "channels integer", "sample_rate integer", "bitrate integer", "default flag",
      ])
    + below(
      "subtitle_tracks[]",
      [
        "language text", "codec text", "title text", "forced flag", "default flag",
        "hearing_impaired flag", "external flag", "file_name text",
      ])
    + below(
      "chapters[]",
      [
        "index integer", "title text", "start_seconds integer", "end_seconds integer",
        "source text",
      ])
  private static let subtitle = below(
    "subtitles[]",
    [
      "source text", "language text", "codec text", "title text", "forced flag",
      "hearing_impaired flag",
    ])
  private static let leastSeason = [
    "content_id text", "season_number integer", "title text", "episode_count integer",
  ]
  private static let leastEpisode = [
    "content_id text", "season_number integer", "episode_number integer", "title text",
    "runtime integer",
  ]
  private static let file = below(
    "files[]",
    [
      "file_id integer", "resolution text", "codec_video text", "hdr flag",
      "audio_channels integer", "container text", "file_size integer",
    ])

  /// A film and a series of which all is told, and a film of which only the name is known.
  private func served() async throws -> SignedInServer {
    let server = try await SignedInServer { $0.shelf = nil }
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    let media = server.media
    let facts = """
      <plot>Long.</plot><runtime>120</runtime><mpaa>PG-13</mpaa><genre>Drama</genre>
      <uniqueid type="imdb">tt1</uniqueid><uniqueid type="tmdb">2</uniqueid>
      <uniqueid type="tvdb">3</uniqueid>
      """
    try media.write("Full (2020)/Full (2020).mkv", film)
    try media.write("Full (2020)/Full (2020).tr.srt", "1\n")
    try media.write("Full (2020)/movie.nfo", "<movie><title>Full</title>\(facts)</movie>")
    for picture in ["poster.jpg", "fanart.jpg", "logo.png"] {
      try media.write("Full (2020)/" + picture, "picture")
    }
    try media.write("Bare/Bare.mkv", film + [0xEC, 0x81, 1])
    try media.write("Show (2017)/tvshow.nfo", "<tvshow><status>Ended</status>\(facts)</tvshow>")
    try media.write("Show (2017)/poster.jpg", "picture")
    try media.write("Show (2017)/Season 00/Show S00E01.mkv", film + [0xEC, 0x81, 2])
    try media.write("Show (2017)/Season 02/Show S02E02.mkv", film + [0xEC, 0x81, 3])
    try media.write("Show (2017)/Season 02/Show S02E01 One.mkv", film + [0xEC, 0x81, 4])
    try media.write(
      "Show (2017)/Season 02/Show S02E01 One.nfo",
      """
      <episodedetails><title>One</title><season>2</season><episode>1</episode>
      <aired>2017-12-01</aired>\(facts)</episodedetails>
      """)
    await server.server.rescan()
    return server
  }

  private func expect(
    _ answer: SignedInServer.Answer, _ lines: [String], _ what: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try JSONShape.lines(of: answer.body)
    let wanted = Set(lines)
    #expect(
      answer.status < 300 && found == wanted,
      "\(what): missing \(wanted.subtracting(found)), too many \(found.subtracting(wanted))",
      sourceLocation: location)
    #expect(answer.headers["content-type"] == "application/json", sourceLocation: location)
  }

  private func id(_ title: String, _ server: SignedInServer) async throws -> String {
    let page = try await server.send("GET", "/catalog?q=\(title)").value(CatalogPage.self)
    return try #require(page.items.first?.contentID)
  }

  @Test("Search and browsing")
  func pages() async throws {
    let server = try await served()
    let page = ["total integer", "total_exact flag", "has_more flag"]
    let list = { (_ lines: [String]) in page + Self.below("items[]", lines) }
    try expect(
      try await server.send("GET", "/catalog?q=full"),
      list(Self.leastEntry.filter { $0 != "genres []" } + Self.told), "a film of which all is told")
    try expect(
      try await server.send("GET", "/catalog?q=bare"),
      list(Self.leastEntry.filter { $0 != "genres []" } + ["genres []", "runtime integer"]),
      "one without notes")
    try expect(
      try await server.send("GET", "/catalog?q=one&type=episode"),
      list(
        Self.leastEntry.filter { $0 != "genres []" } + Self.told + [
          "series_id text", "series_title text", "season_number integer", "episode_number integer",
        ]), "an episode")
    try expect(
      try await server.send("GET", "/catalog?q=nothing"), page + ["items []"], "nothing found")
    let all = try await server.send("GET", "/catalog").value(CatalogPage.self)
    #expect(all.items.map(\.title) == ["Bare", "Full", "Show"])
    let last = try await server.send("GET", "/catalog?order=desc&sort=title&limit=1")
    #expect(try last.value(CatalogPage.self).items.map(\.title) == ["Show"])
    await server.stop()
  }

  @Test("Items, their versions and pictures")
  func items() async throws {
    let server = try await served()
    let (full, bare) = (try await id("full", server), try await id("bare", server))
    let item = { (_ id: String) in try await server.send("GET", "/catalog/items/" + id) }
    let ids = ["imdb_id text", "tmdb_id text", "tvdb_id text", "content_rating text"]
    let empty = ["genres []", "versions []", "subtitles []"]
    let least = Self.leastItem.filter { !empty.contains($0) }
    let versions = Self.below("versions[]", Self.version) + Self.subtitle
    try expect(
      try await item(full),
      least + Self.told + ids + versions + ["backdrop_url text", "logo_url text"], "a film")
    let embedded = versions.filter {
      !$0.hasSuffix(".file_name text") || $0 == "versions[].file_name text"
    }
    try expect(
      try await item(bare), least + ["genres []", "runtime integer"] + embedded,
      "a film without notes")
    try expect(
      try await server.send("GET", "/catalog/items/\(full)/versions"),
      Self.below("[]", Self.version), "versions")
    let show = try await id("show", server)
    try expect(
      try await item(show),
      Self.leastItem.filter { $0 != "genres []" } + Self.told + ids + ["season_count integer"],
      "a series")
    let ofSeries = ["series_id text", "series_title text", "season_number integer"]
    try expect(
      try await item(show + "-S02"),
      Self.leastItem + ofSeries + ["episode_count integer", "air_date text", "poster_url text"],
      "a season")
    try expect(
      try await item(show + "-S00"),
      Self.leastItem + ofSeries + ["episode_count integer", "is_specials flag", "poster_url text"],
      "the specials")
    try expect(
      try await item(try await id("one", server)),
      least + Self.told + ids + embedded + ofSeries + ["episode_number integer", "air_date text"],
      "an episode")
    for kind in ["poster", "backdrop", "logo"] {
      let picture = try await server.send("GET", "/catalog/items/\(full)/artwork/\(kind)")
      #expect(picture.text == "picture", "\(kind)")
    }
    for path in ["items/none", "items/none/versions", "items/\(bare)/artwork/poster"] {
      let refusal = try await server.send("GET", "/catalog/" + path)
      #expect(refusal.outcome == "404 not_found")
      #expect(try JSONShape.lines(of: refusal.body) == ["error text", "message text"])
    }
    await server.stop()
  }

  @Test("Seasons and episodes in their order")
  func seasons() async throws {
    let server = try await served()
    let path = "/catalog/series/\(try await id("show", server))/seasons"
    let list = try await server.send("GET", path)
    let shown = Self.leastSeason + ["poster_url text"]
    try expect(
      list, Self.below("seasons[]", shown + ["is_specials flag", "air_date text"]), "seasons")
    #expect(try list.value(SeasonList.self).seasons.map(\.seasonNumber) == [0, 2])
    #expect(try list.value(SeasonList.self).seasons.map(\.isSpecials) == [true, nil])
    try expect(
      try await server.send("GET", path + "/2"), Self.below("season", shown + ["air_date text"]),
      "a season")
    try expect(
      try await server.send("GET", path + "/0"), Self.below("season", shown + ["is_specials flag"]),
      "the specials")
    try expect(
      try await server.send("GET", path + "/0/episodes"),
      Self.below("episodes[]", Self.leastEpisode + Self.file), "an episode without notes")
    let episodes = try await server.send("GET", path + "/2/episodes")
    let told = ["overview text", "air_date text", "imdb_id text", "tmdb_id text", "tvdb_id text"]
    try expect(episodes, Self.below("episodes[]", Self.leastEpisode + told + Self.file), "episodes")
    #expect(try episodes.value(EpisodeList.self).episodes.map(\.episodeNumber) == [1, 2])
    await server.stop()
  }

  @Test("Keys and profiles")
  func accounts() async throws {
    let server = try await SignedInServer()
    let key = [
      "id integer", "user_id integer", "label text", "rate_tier text", "created_at text",
    ]
    try expect(
      try await server.send("POST", "/api-keys", "{\"label\":\"tv\"}"), key + ["key text"], "a key")
    try expect(try await server.send("GET", "/api-keys"), Self.below("[]", key), "keys")
    let profile = [
      "id text", "name text", "has_pin flag", "is_child flag", "is_primary flag",
      "auto_skip_intro flag", "auto_skip_credits flag", "auto_skip_recap flag",
      "auto_play_next_preview flag", "show_forced_subtitles flag",
      "library_restrictions_enabled flag", "allowed_library_ids []", "max_playback_quality text",
      "created_at text", "updated_at text",
    ]
    try expect(
      try await server.send("POST", "/profiles", "{\"name\":\"Kids\",\"pin\":\"1234\"}"), profile,
      "a profile")
    let list = try await server.send("GET", "/profiles")
    try expect(
      list, Self.below("profiles[]", profile) + ["avatar_upload_enabled flag"], "profiles")
    #expect(try list.value(ProfileList.self).profiles.map(\.isPrimary) == [true, false])
    await server.stop()
  }
}
