import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite("Addresses of the catalog", .timeLimit(.minutes(5)))
struct CatalogRouteTests {
  /// A server over a film with subtitles and a poster, and a series of two episodes of which one has no file.
  private func server() async throws -> SignedInServer {
    let server = try await SignedInServer { $0.shelf = nil }
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    let media = server.media
    try media.write("Dune (2021) [tmdbid-438631]/Dune (2021).mkv", film)
    try media.write("Dune (2021) [tmdbid-438631]/Dune (2021).tr.srt", "1\n")
    try media.write("Dune (2021) [tmdbid-438631]/poster.jpg", "picture")
    try media.write("Dark (2017)/Season 01/Dark S01E01 Secrets.mkv", film)
    try media.write(
      "Dark (2017)/Season 01/Dark S01E02.nfo",
      "<episodedetails><season>1</season><episode>2</episode></episodedetails>")
    await server.server.rescan()
    return server
  }

  private func id(_ title: String, _ server: SignedInServer) async throws -> String {
    let page = try await server.send("GET", "/catalog?q=\(title)").value(CatalogPage.self)
    return try #require(page.items.first?.contentID)
  }

  @Test("A search gives pages of films and series")
  func search() async throws {
    let server = try await server()
    let page = try await server.send("GET", "/catalog")
    #expect(page.status == 200)
    #expect(Set(page.json.keys) == ["total", "total_exact", "has_more", "items"])
    let all = try page.value(CatalogPage.self)
    #expect(all.items.map(\.title) == ["Dark", "Dune"])
    #expect(all.total == 2)
    #expect(all.hasMore == false)
    let first = try await server.send("GET", "/catalog?limit=1").value(CatalogPage.self)
    #expect(first.items.map(\.title) == ["Dark"])
    #expect(first.hasMore == true)
    let found = try await server.send("GET", "/catalog?q=d%C3%BCne&type=movie")
    #expect(try found.value(CatalogPage.self).items.map(\.title) == ["Dune"])
    // A kind that there is none of is passed over.
    #expect(try await server.send("GET", "/catalog?type=song").value(CatalogPage.self).total == 2)
    await server.stop()
  }

  @Test(
    "Nothing is told to whom nobody knows",
    arguments: [
      "/catalog", "/catalog/items/mv_0", "/catalog/items/mv_0/versions",
      "/catalog/items/mv_0/artwork/poster", "/catalog/series/sr_0/seasons",
      "/catalog/series/sr_0/seasons/1", "/catalog/series/sr_0/seasons/1/episodes",
    ])
  func strangers(path: String) async throws {
    let server = try await SignedInServer { $0.shelf = nil }
    #expect(try await server.send("GET", path, token: "").outcome == "401 unauthorized")
    let known = try await server.send("GET", path)
    #expect(known.outcome == (path == "/catalog" ? "200" : "404 not_found"))
    await server.stop()
  }

  @Test("An item gives its versions, and its pictures")
  func item() async throws {
    let server = try await server()
    let dune = try await id("dune", server)
    let item = try await server.send("GET", "/catalog/items/\(dune)")
    #expect(item.json["tmdb_id"] as? String == "438631")
    let detail = try item.value(ItemDetail.self)
    #expect(detail.versions.first?.audioTracks?.count == 6)
    let versions = try await server.send("GET", "/catalog/items/\(dune)/versions")
    #expect(try versions.value([MediaVersion].self) == detail.versions)
    let address = try #require(detail.posterURL)
    let poster = try await server.send("GET", String(address.dropFirst("/api/v1".count)))
    #expect(poster.text == "picture")
    #expect(poster.headers["content-type"] == "image/jpeg")
    let logo = try await server.send("GET", "/catalog/items/\(dune)/artwork/logo")
    #expect(logo.outcome == "404 not_found")
    await server.stop()
  }

  @Test("A series gives its seasons and episodes")
  func series() async throws {
    let server = try await server()
    let dark = try await id("dark", server)
    let seasons = try await server.send("GET", "/catalog/series/\(dark)/seasons")
    #expect(try seasons.value(SeasonList.self).seasons.map(\.seasonNumber) == [1])
    let season = try await server.send("GET", "/catalog/series/\(dark)/seasons/1")
    #expect(try season.value(SeasonAnswer.self).season.episodeCount == 2)
    let list = try await server.send("GET", "/catalog/series/\(dark)/seasons/1/episodes")
    let episodes = try list.value(EpisodeList.self).episodes
    #expect(episodes.map(\.episodeNumber) == [1, 2])
    #expect(episodes.map { $0.files?.count } == [1, nil])
    let wrong = ["7": "404 not_found", "-1": "404 not_found", "x": "400 bad_request"]
    for (number, outcome) in wrong {
      for end in ["", "/episodes"] {
        let answer = try await server.send(
          "GET", "/catalog/series/\(dark)/seasons/\(number)" + end)
        #expect(answer.outcome == outcome, "\(number)\(end)")
      }
    }
    await server.stop()
  }

  @Test("A download of what the catalog has comes with tracks, subtitles, artwork and hash")
  func download() async throws {
    let server = try await server()
    let dune = try await id("dune", server)
    let device = try await server.device()
    let row = try await server.register("{\"content_id\":\"\(dune)\"}", device)
    #expect(row.status == .ready)
    let manifest = try await server.send("GET", "/downloads/\(row.id)/manifest", device)
      .value(OfflineManifest.self)
    #expect(manifest.audioTracks?.map(\.language) == ["tr", "en", "de", "ja", "en", "en"])
    #expect(manifest.subtitles.map(\.language) == ["tr"])
    #expect(manifest.artworkURLs.poster == "/api/v1/downloads/\(row.id)/artwork/poster")
    #expect(manifest.integrity?.mediaFileHash?.count == 16)
    #expect(manifest.chapters?.first?.title == "Opening")
    #expect(manifest.stableIdentity?.providerIDs == ["tmdb": "438631"])
    let subtitle = try await server.send("GET", "/downloads/\(row.id)/subtitles/external:0", device)
    #expect(subtitle.text == "1\n")
    let poster = try await server.send("GET", "/downloads/\(row.id)/artwork/poster", device)
    #expect(poster.text == "picture")
    let file = try await server.send("GET", "/downloads/\(row.id)/file", device)
    #expect(file.body == (try server.media.read("Dune (2021) [tmdbid-438631]/Dune (2021).mkv")))

    let dark = try await id("dark", server)
    let season = try await server.send(
      "POST", "/downloads", "{\"content_id\":\"\(dark)\",\"series\":true,\"season_number\":1}",
      device)
    let answer = season.json
    #expect((answer["downloads"] as? [Any])?.count == 1)
    #expect((answer["skipped"] as? [[String: Any]])?.map { $0["reason"] as? String } == ["no_file"])
    await server.stop()
  }
}

extension SignedInServer {
  fileprivate func send(_ method: String, _ path: String, _ fields: [String]) async throws -> Answer
  {
    try await send(method, path, nil, token: nil, fields)
  }

  fileprivate func send(
    _ method: String, _ path: String, _ body: String, _ fields: [String]
  ) async throws -> Answer {
    try await send(method, path, body, token: nil, fields)
  }
}
