import Foundation
import SiloContract
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("The catalog of a Silo server", .timeLimit(.minutes(5)))
struct SiloCatalogTests {
  @Test("an item is named by its id, or by its series and its id")
  func references() throws {
    let rows: [(String, String?, Bool)] = [
      ("silo:mv_1", "silo:mv_1", false), ("SILO:12/34", "silo:12/34", false),
      ("http://h/silo:1", nil, false), ("film.mkv", nil, false), ("silo:", nil, true),
      ("silo:a/", nil, true), ("silo:a/b/c", nil, true), ("silo:../x", nil, true),
      ("silo:a b", nil, true), ("silo:a?x=1", nil, true), ("silo:%2e%2e", nil, true),
    ]
    for (source, text, isRefused) in rows {
      if isRefused {
        #expect(throws: DownloadError.self, "\(source)") { try SiloReference(source) }
      } else {
        #expect(try SiloReference(source)?.description == text, "\(source)")
      }
    }
  }

  @Test("pages are asked for until there are enough, and an id that leads elsewhere is left out")
  func search() async throws {
    let silo = try ScriptedSilo()
    _ = try await silo.signIn()
    silo.server.on("/api/v1/catalog") { request, _ in
      let offset = request.parameter("offset").flatMap { Int($0) } ?? 0
      let items = (offset..<min(offset + 2, 5)).map { n in
        n == 1
          ? #"{"content_id":"../etc","type":"movie","title":"x"}"#
          : #"{"content_id":"e\#(n)","type":"episode","title":"T\#(n)","series_id":"s","series_title":"Dizi","season_number":1,"episode_number":\#(n)}"#
      }
      return .json(#"{"items":[\#(items.joined(separator: ","))],"has_more":\#(offset + 2 < 5)}"#)
    }
    let catalog = SiloCatalog(try await silo.session())
    let all = try await catalog.search("dizi & film", limit: 10)
    #expect(
      all.map(\.reference.description) == ["silo:s/e0", "silo:s/e2", "silo:s/e3", "silo:s/e4"])
    #expect(all.first?.title == "Dizi S01E00 T0")
    let asked = silo.server.requests(for: "/api/v1/catalog")
    #expect(asked.map { $0.parameter("offset") } == ["0", "2", "4"])
    #expect(asked.first?.parameter("q") == "dizi%20%26%20film")
    #expect(try await catalog.search("dizi", limit: 1).count == 1)
  }

  @Test("an answer that is no catalog is said to be one")
  func foreign() async throws {
    let silo = try ScriptedSilo()
    _ = try await silo.signIn()
    let catalog = SiloCatalog(try await silo.session())
    let bodies = ["<html></html>", "[]", #"{"items":7}"#, ""]
    for body in bodies {
      silo.server.on("/api/v1/catalog") { _, _ in .json(body) }
      let error = await #expect(throws: DownloadError.self, "\(body)") {
        try await catalog.search("x", limit: 5)
      }
      #expect(error?.code == .integrity)
    }
  }

  private struct Version {
    var file: Int64
    var languages: [String]
    var resolution = "1080p"
    var kilobits = 4000
  }

  @Test("the version that has the wanted languages is fetched, then the best picture")
  func versions() throws {
    let turkish = Version(file: 1, languages: ["tur", "en"], resolution: "720p")
    let english = Version(file: 2, languages: ["eng"], resolution: "2160p")
    let both = Version(file: 3, languages: ["en", "tr-TR"], resolution: "480p")
    let japanese = Version(file: 4, languages: ["ja"], resolution: "2160p", kilobits: 9000)
    let rows: [([Version], [String], Int64)] = [
      ([turkish, english], ["tr"], 1), ([turkish, english], ["en"], 2),
      ([turkish, english, both], ["tr", "en"], 1), ([english, both], ["tr", "en"], 3),
      ([english, japanese], [], 4), ([english, japanese], ["de"], 4),
      ([english, japanese], ["de", "en"], 2), ([english, japanese], ["ja", "en"], 4),
      ([Version(file: 9, languages: []), Version(file: 8, languages: [])], ["tr"], 8),
    ]
    for (versions, languages, file) in rows {
      let wishes = TrackWishes(
        audio: languages.compactMap { LanguageTag($0).map { .language($0) } })
      let values = versions.map(Self.version)
      #expect(VersionChoice.choose(values, wishes)?.fileID.number == file, "\(languages)")
      #expect(VersionChoice.choose(values.reversed(), wishes)?.fileID.number == file)
    }
    #expect(VersionChoice.choose([], TrackWishes()) == nil)
  }

  private static func version(_ version: Version) -> MediaVersion {
    var value = MediaVersion(fileID: MediaFileID(version.file), fileSize: 1 << 30)
    value.resolution = version.resolution
    value.kilobitsPerSecond = version.kilobits
    value.audioTracks = version.languages.map { language in
      var track = VersionAudioTrack()
      track.language = language
      track.codec = "aac"
      track.channels = 2
      return track
    }
    return value
  }

  @Test("lines are read from every spelling")
  func lines() {
    let rows: [(String?, Int64)] = [
      ("1080p", 1080), ("4K", 2160), ("2160p", 2160), ("720", 720), ("", 0), (nil, 0), ("SD", 480),
    ]
    for (text, lines) in rows { #expect(VersionChoice.lines(of: text) == lines) }
  }
}
