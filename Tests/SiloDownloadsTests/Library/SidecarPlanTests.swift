import Foundation
import SiloContract
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("What lies beside a file of a server")
struct SidecarPlanTests {
  private static func manifest(_ changes: (inout OfflineManifest) -> Void) throws -> OfflineManifest
  {
    let id = try #require(DownloadID("77"))
    var row = DownloadRow(
      id: id, contentID: "s1", mediaFileID: MediaFileID(4), fileSize: 9,
      createdAt: Timestamp(seconds: 0))
    row.revision = 3
    var manifest = OfflineManifest(of: row, generatedAt: Timestamp(seconds: 0))
    (manifest.type, manifest.title, manifest.year) = (.movie, "Heat", 1995)
    changes(&manifest)
    return manifest
  }

  private static func episode(_ manifest: inout OfflineManifest) {
    (manifest.type, manifest.episodeID) = (.episode, "e2")
    (manifest.seriesTitle, manifest.title) = ("Dark", "Lies")
    (manifest.seasonNumber, manifest.episodeNumber) = (1, 2)
  }

  private static func subtitle(
    _ language: String?, _ format: String? = "srt", _ reference: String = "external:0",
    forced: Bool = false, sdh: Bool = false
  ) -> ManifestSubtitle {
    var subtitle = ManifestSubtitle(
      language: language, format: format, fetchURL: "/api/v1/downloads/77/subtitles/\(reference)")
    (subtitle.isForced, subtitle.isHearingImpaired) = (forced, sdh)
    return subtitle
  }

  private static func plan(
    _ manifest: OfflineManifest, subs: TrackWishes.SubtitleWish = .all, audio: String = "tr",
    path: String = "/m/Heat (1995)/Heat (1995).mkv", isShelved: Bool = true
  ) throws -> SidecarPlan {
    let tracks = [
      AudioTrack(
        id: TrackID(.audio, 0), place: .stream(1), language: LanguageTag(audio), codec: "aac")
    ]
    let text = [
      SubtitleTrack(
        id: TrackID(.subtitle, 0), place: .stream(2), language: LanguageTag("en"), codec: "subrip")
    ]
    return SidecarPlan(
      ItemSheet(bytes: [], manifest: manifest),
      wishes: TrackWishes(audio: [], subtitles: subs),
      inventory: MediaInventory(kind: .file, audio: tracks, subtitles: text),
      place: SidecarPlan.Place(
        path: path, isShelved: isShelved, server: try SiloAddress("https://h:8080/silo")))
  }

  struct Row: Sendable {
    var title: String
    var subs = TrackWishes.SubtitleWish.all
    var isShelved = true
    var path = "/m/Heat (1995)/Heat (1995).mkv"
    var change: @Sendable (inout OfflineManifest) -> Void
    /// What is expected beside the manifest and the NFO file.
    var expected: [String]
    var warnings: [String] = []
  }

  private static let all: @Sendable (inout OfflineManifest) -> Void = { manifest in
    for kind in ArtworkKind.allCases {
      manifest.artworkURLs[kind] = "/api/v1/downloads/77/artwork/\(kind.rawValue)"
    }
  }

  private static let wide = Data([1, 2, 3, 4, 0x80]).base64EncodedString()
  private static let upright = Data([1, 2, 3, 4, 0x7F]).base64EncodedString()
  private static let dark = "/m/Dark/Season 01/Dark S01E02 - Lies.mkv"

  static let rows: [Row] = [
    Row(title: "nothing", change: { _ in }, expected: []),
    Row(
      title: "a film with all pictures", change: all,
      expected: [
        "/m/Heat (1995)/Heat (1995)-poster", "/m/Heat (1995)/Heat (1995)-fanart",
        "/m/Heat (1995)/Heat (1995)-clearlogo",
      ]),
    Row(
      title: "a film under a name of the user's", isShelved: false, path: "/m/x.y.mkv", change: all,
      expected: ["/m/x.y-poster", "/m/x.y-fanart", "/m/x.y-clearlogo"]),
    Row(
      title: "an episode has what its series has", path: dark,
      change: {
        episode(&$0)
        all(&$0)
      },
      expected: [
        "/m/Dark/tvshow.nfo", "/m/Dark/poster", "/m/Dark/fanart", "/m/Dark/clearlogo",
      ]),
    Row(
      title: "a wide poster of an episode is its own", path: dark,
      change: {
        episode(&$0)
        all(&$0)
        $0.posterThumbhash = wide
      },
      expected: [
        "/m/Dark/tvshow.nfo", "/m/Dark/Season 01/Dark S01E02 - Lies-thumb", "/m/Dark/fanart",
        "/m/Dark/clearlogo",
      ]),
    Row(
      title: "an upright one is not", path: dark,
      change: {
        episode(&$0)
        $0.artworkURLs.poster = "/api/v1/downloads/77/artwork/poster"
        $0.posterThumbhash = upright
      }, expected: ["/m/Dark/tvshow.nfo", "/m/Dark/poster"]),
    Row(
      title: "an episode under a name of the user's", isShelved: false, path: "/m/e.mkv",
      change: {
        episode(&$0)
        all(&$0)
      }, expected: []),
    Row(
      title: "all subtitles, each with a name of its own",
      change: {
        $0.subtitles = [
          subtitle("tr"), subtitle("tur"), subtitle("en", "subrip", forced: true),
          subtitle("en", "vtt", sdh: true), subtitle(nil, "ass"),
          subtitle("pt-br", "SRT", "downloaded:9", forced: true, sdh: true),
        ]
      },
      expected: [".tr.srt", ".2.tr.srt", ".en.forced.srt", ".en.sdh.vtt", ".ass"].map {
        "/m/Heat (1995)/Heat (1995)\($0)"
      } + ["/m/Heat (1995)/Heat (1995).pt-BR.forced.sdh.srt"]),
    Row(
      title: "those of languages", subs: .languages([LanguageTag("de")].compactMap { $0 }),
      change: {
        $0.subtitles = [subtitle("tr"), subtitle("ger"), subtitle("tr", forced: true)]
      },
      expected: [
        "/m/Heat (1995)/Heat (1995).de.srt!", "/m/Heat (1995)/Heat (1995).tr.forced.srt",
      ]),
    Row(
      title: "none but the forced ones of the default audio", subs: .none,
      change: {
        $0.subtitles = [
          subtitle("tr"), subtitle("tr", forced: true), subtitle("en", forced: true),
        ]
      }, expected: ["/m/Heat (1995)/Heat (1995).tr.forced.srt"]),
    Row(
      title: "forms and places that are none",
      change: {
        $0.subtitles = [subtitle("tr", "exe"), subtitle("tr", "srt", "weird:1")]
        $0.artworkURLs.poster = "https://evil.example/poster.jpg"
        $0.artworkURLs.logo = "/api/v1/downloads/77/artwork/poster"
      }, expected: [],
      warnings: [
        "not fetched: the poster; 'https://evil.example/poster.jpg' is no place of this download on the server",
        "not fetched: the clearlogo; '/api/v1/downloads/77/artwork/poster' is no place of this download on the server",
        "the Turkish subtitles are not kept: the form 'exe' is not known",
        "not fetched: the Turkish subtitles; '/api/v1/downloads/77/subtitles/weird:1' is no place of this download on the server",
      ]),
  ]

  @Test("each manifest has its files", arguments: 0..<rows.count)
  func plans(index: Int) throws {
    let row = Self.rows[index]
    let plan = try Self.plan(
      try Self.manifest(row.change), subs: row.subs, path: row.path, isShelved: row.isShelved)
    let stem = row.path.dropLast(4)
    #expect(plan.entries.prefix(2).map(\.path) == ["\(stem).manifest.json", "\(stem).nfo"])
    let others = plan.entries.dropFirst(2).map { $0.path + ($0.isRequired ? "!" : "") }
    #expect(others == row.expected, "\(row.title)")
    #expect(plan.warnings == row.warnings, "\(row.title)")
    for entry in plan.entries {
      let isShared = entry.path.hasPrefix("/m/Dark/") && !entry.path.contains("Season")
      #expect(entry.owner == (isShared ? .series("/m/Dark") : .file(row.path)))
    }
  }

  static let places: [(text: String, tail: String?)] = [
    ("/api/v1/downloads/77/artwork/poster", "artwork/poster"),
    ("/silo/api/v1/downloads/77/artwork/poster?v=2#x", "artwork/poster"),
    ("https://h:8080/api/v1/downloads/77/subtitles/external%3A0", "subtitles/external:0"),
    ("https://H:8080/silo/api/v1/downloads/77/artwork/logo", "artwork/logo"),
    ("http://h:8080/api/v1/downloads/77/artwork/poster", nil),
    ("https://h/api/v1/downloads/77/artwork/poster", nil),
    ("https://h:8080@evil/api/v1/downloads/77/artwork/poster", nil),
    ("//evil/api/v1/downloads/77/artwork/poster", nil),
    ("file:///api/v1/downloads/77/artwork/poster", nil),
    ("/api/v1/downloads/77/../78/artwork/poster", nil),
    ("/api/v1/downloads/77/%2e%2E/78/artwork/poster", nil),
    ("/api/v1/downloads/77/artwork%2Fposter", nil),
    ("/api/v1/downloads/78/artwork/poster", nil),
    ("/api/v1/downloads/777/artwork/poster", nil),
    ("/api/v1/downloads/77/artwork/po ster", nil),
    ("\\\\evil\\api", nil), ("artwork/poster", nil), ("", nil),
  ]

  @Test("only what lies below the download's own path is an asset", arguments: 0..<places.count)
  func addresses(index: Int) throws {
    let row = Self.places[index]
    let id = try #require(DownloadID("77"))
    let server = try SiloAddress("https://h:8080/silo")
    #expect(AssetAddress(row.text, of: id, on: server)?.tail == row.tail)
  }

  @Test("a picture is what its bytes are, and says whether it is wide")
  func images() async throws {
    let folder = try TemporaryFolder()
    let rows: [(size: String, suffix: String, isWide: Bool)] = [
      ("64x96", "jpg", false), ("96x64", "jpg", true), ("64x96", "png", false),
      ("96x64", "png", true), ("64x96", "webp", false), ("96x64", "webp", true),
    ]
    for row in rows {
      let path = folder.path("\(row.size).\(row.suffix)")
      try await runSuccessfully(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=\(row.size)", "-frames:v", "1", path])
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let form = try #require(ImageForm(bytes), "\(row)")
      #expect(form.suffix == row.suffix && form.isWide == row.isWide, "\(row)")
      for count in [0, 3, 11, 12, 25, 29, 30, 40] where count < bytes.count {
        _ = ImageForm(Array(bytes.prefix(count)))
      }
    }
    for text in ["", "<html>", "GIF89a", "RIFF....WAVE", "RIFF....WEBP"] {
      #expect(ImageForm(Array(text.utf8)) == nil, "\(text)")
    }
  }

  static let forms: [(form: SubtitleForm, text: String, isOne: Bool)] = [
    (.srt, "1\n00:00:01,000 --> 00:00:02,000\nHi\n", true), (.srt, "<html>not found</html>", false),
    (.srt, "", false), (.vtt, "\u{FEFF}WEBVTT\n", true), (.vtt, "1\n00:00", false),
    (.ass, "[Script Info]\n", true), (.ass, #"{"error":"not_found"}"#, false), (.sup, "PG\0", true),
    (.sup, "text", false), (.ttml, "<?xml?><tt xml:lang='en'/>", true), (.ttml, "<html/>", false),
  ]

  @Test("an error page is no subtitle file", arguments: 0..<forms.count)
  func subtitleForms(index: Int) {
    let row = Self.forms[index]
    #expect(row.form.accepts(Array(row.text.utf8)) == row.isOne)
    if row.form == .srt, row.isOne {
      let wide = row.text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      #expect(row.form.accepts([0xFF, 0xFE] + wide))
    }
  }

  @Test("the notes say what is known, and of the ids only those that are some")
  func notes() throws {
    let film = ItemSheet(
      bytes: [],
      manifest: try Self.manifest {
        ($0.overview, $0.runtimeMinutes, $0.genres) = ("Plot & more", 170, ["Crime"])
        $0.contentRating = "R"
        var identity = StableIdentity(.movie)
        identity.providerIDs = ["imdb": "tt0113277", "tmdb": "../x", "evil": "1"]
        $0.stableIdentity = identity
      })
    #expect(film.note.identities == ["imdb": "tt0113277"])
    for part in [
      "<movie>", "<year>1995</year>", "Plot &amp; more", "<genre>Crime</genre>", "<mpaa>R</mpaa>",
    ] { #expect(film.note.text.contains(part), "\(part)") }
    var episode = ItemSheet(bytes: [], manifest: try Self.manifest(Self.episode))
    #expect(
      episode.subject
        == .episode(series: "Dark", year: nil, season: 1, episodes: 2...2, title: "Lies"))
    var series = ItemDetail(contentID: "s1", type: .series, title: "Dark")
    (series.year, series.overview, series.tvdbID) = (2017, "Caves", "334824")
    episode.series = series
    #expect(
      episode.subject
        == .episode(series: "Dark", year: 2017, season: 1, episodes: 2...2, title: "Lies"))
    let text = episode.note.text
    #expect(text.contains("<showtitle>Dark</showtitle>") && text.contains("<episode>2</episode>"))
    #expect(episode.seriesNote.text.contains("<year>2017</year>"))
    #expect(episode.seriesNote.identities == ["tvdb": "334824"])
  }

  @Test(
    "a negative number is none: what the item is known by says the right one, and the notes say no wrong one",
    arguments: [(-5, nil, 0, nil), (-5, 7, 7, 7), (3, 7, 3, 3), (nil, 7, 7, 7), (0, 7, 0, 0)]
      as [(Int?, Int?, Int, Int?)])
  func numbers(told: Int?, known: Int?, named: Int, noted: Int?) throws {
    let sheet = ItemSheet(
      bytes: [],
      manifest: try Self.manifest {
        Self.episode(&$0)
        var identity = StableIdentity(.episode)
        (identity.season, identity.episode) = (known, known)
        ($0.seasonNumber, $0.episodeNumber, $0.stableIdentity) = (told, told, identity)
      })
    #expect(
      sheet.subject
        == .episode(
          series: "Dark", year: nil, season: named, episodes: named...named, title: "Lies"))
    #expect(sheet.note.season == noted && sheet.note.episode == noted)
  }
}
