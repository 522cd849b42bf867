import Foundation
import SiloTestSupport
import Testing

/// What a server tells of a download is material: nothing is written outside the folder, nothing asked of anybody else.
@Suite("A manifest", .timeLimit(.minutes(5)))
struct HostileManifestTests {
  let tool: Tool
  let silo: ScriptedRows
  let stranger: FaultServer
  let film: [UInt8]

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    stranger = try FaultServer()
    stranger.onOthers { _, _ in .bytes([0xFF, 0xD8, 0xFF, 0xE0]) }
    film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    silo.addFilm("film", file: 1, .init(film))
    try await tool.signIn(at: silo.url, key: "sa_ada")
  }

  /// What is told of the only row, with these keys in place of the usual ones.
  private func tell(_ keys: [String: Any]) throws {
    var manifest: [String: Any] = [
      "download_id": "1001", "content_id": "film", "type": "movie", "revision": 1, "title": "Film",
      "file_size": film.count, "artwork_urls": [:] as [String: String],
      "subtitles": [] as [String], "integrity": ["expected_bytes": film.count],
    ]
    manifest.merge(keys) { $1 }
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: manifest), as: UTF8.self)
    silo.server.on("/api/v1/downloads/1001/manifest") { _, _ in .json(text) }
  }

  private func asset(_ tail: String, _ answer: @escaping FaultServer.Script) {
    silo.server.on("/api/v1/downloads/1001/\(tail)", answer)
  }

  private func get(_ words: String...) async throws -> CommandResult {
    try await tool.run(["get", "silo:film", "-o", "shelf/", "--retry", "1"] + words)
  }

  /// What lies in the folder but for the program's own home, files only.
  private func files() throws -> [String] {
    try tool.leftovers().filter {
      FileManager.default.contents(atPath: tool.folder.path($0)) != nil
    }
  }

  private struct Row: Sendable {
    var keys: @Sendable (String) -> [String: Any]
    var status: Int32 = 0
    var stem: String? = "shelf/Film/Film"
    var words = ""
  }

  private static let long = String(repeating: "x", count: 4000)

  private static let rows: [Row] = [
    Row(
      keys: { _ in ["title": "../../../etc/passwd"] },
      stem: "shelf/-..-..-etc-passwd/-..-..-etc-passwd"),
    Row(
      keys: { _ in ["title": "/etc/x\u{0}\n\u{1B}[2J\u{202E}"] }, stem: "shelf/-etc-x[2J/-etc-x[2J"),
    Row(keys: { _ in ["title": "con"] }, stem: "shelf/_con/_con"),
    Row(keys: { _ in ["title": ""] }, stem: "shelf/Untitled/Untitled"),
    Row(
      keys: { _ in ["title": "..", "year": 2024] }, stem: "shelf/Untitled (2024)/Untitled (2024)"),
    Row(keys: { _ in ["title": long] }, stem: nil),
    Row(
      keys: { _ in ["title": ["a": 1], "year": "x", "genres": 7, "overview": [1]] },
      stem: "shelf/Untitled/Untitled"),
    Row(keys: { _ in ["new": ["deep": [1, 2]], "audio_tracks": "no", "chapters": [1]] }),
    Row(
      keys: { _ in
        [
          "type": "episode", "series_id": "../../x", "series_title": "../a", "season_number": -7,
          "episode_number": -3, "title": "..",
        ]
      }, stem: "shelf/-a/Season 00/-a S00E00"),
    Row(keys: { _ in ["download_id": "../../1001"] }, status: 8, stem: nil),
    Row(keys: { _ in ["download_id": "1002"] }, status: 8, stem: nil),
    Row(keys: { _ in ["revision": "many"] }, status: 8, stem: nil),
    Row(keys: { _ in ["artwork_urls": "none"] }, status: 8, stem: nil),
    Row(
      keys: { stranger in
        [
          "artwork_urls": [
            "poster": stranger + "/api/v1/downloads/1001/artwork/poster",
            "backdrop": "//evil.example/x", "logo": "file:///etc/passwd",
          ]
        ]
      }, words: "no place of this download"),
    Row(
      keys: { stranger in
        [
          "subtitles": [
            "/api/v1/downloads/1001/subtitles/../../1002/subtitles/external:0",
            "/api/v1/downloads/1001/subtitles/%2e%2e/x", stranger + "/a.srt", "javascript:1",
            "/api/v1/downloads/1001/subtitles/external:-1",
          ].map { ["language": "tr", "format": "srt", "fetch_url": $0] }
        ]
      }, words: "no place of this download"),
    Row(
      keys: { _ in
        [
          "subtitles": [
            ["language": "../../../x", "format": "../srt", "fetch_url": 9], ["format": "srt"], 7,
            [
              "language": "tr", "format": "../srt",
              "fetch_url": "/api/v1/downloads/1001/subtitles/external:0",
            ],
          ]
        ]
      }, words: "'../srt' is not known"),
  ]

  @Test(
    "whatever it says, nothing lies outside and nobody else is asked", arguments: 0..<rows.count)
  func hostile(index: Int) async throws {
    let row = Self.rows[index]
    try tell(row.keys(stranger.url("")))
    let result = try await get()
    #expect(result.status == row.status, "\(result.stderr)")
    #expect(row.words.isEmpty || result.stderr.contains(row.words), "\(result.stderr)")
    #expect(stranger.requests.isEmpty)
    let files = try files()
    #expect(files.allSatisfy { $0.hasPrefix("shelf/") }, "\(files)")
    #expect(files.allSatisfy { !$0.hasSuffix(".side-part") }, "\(files)")
    if row.status != 0 {
      #expect(files.filter { !$0.hasSuffix(".part.lock") }.isEmpty, "\(files)")
    } else if let stem = row.stem {
      let series = row.stem.map { $0.contains("Season") } == true ? ["shelf/-a/tvshow.nfo"] : []
      #expect(
        files == ([".manifest.json", ".mkv", ".nfo"].map { stem + $0 } + series).sorted())
    } else {
      #expect(files.count == 3 && files.allSatisfy { $0.utf8.count < 500 }, "\(files)")
    }
    let paths = silo.server.requests.map(\.path)
    #expect(paths.allSatisfy { !$0.contains("..") && !$0.contains("1002") }, "\(paths)")
  }

  @Test("100 MB of JSON are not read to their end")
  func endless() async throws {
    silo.server.on("/api/v1/downloads/1001/manifest") { _, _ in
      .bytes([UInt8](repeating: 0x20, count: 100 << 20)).chunked()
    }
    let result = try await get()
    #expect(result.status == 8, "\(result.stderr)")
    #expect(silo.server.requests.reduce(0) { $0 + $1.bytesSent } < 60 << 20)
    #expect(try files().isEmpty)
  }

  @Test("a picture that is none, or that another server has, is a warning; no token goes there")
  func pictures() async throws {
    let base = "/api/v1/downloads/1001/artwork/"
    try tell([
      "artwork_urls": [
        "poster": base + "poster", "backdrop": base + "backdrop", "logo": base + "logo",
      ]
    ])
    asset("artwork/poster") { _, _ in .text("<html>", type: "image/jpeg") }
    asset("artwork/backdrop") { [stranger] _, _ in .redirect(to: stranger.url("/x.jpg")) }
    asset("artwork/logo") { _, _ in .status(503) }
    let result = try await get()
    #expect(result.status == 0, "\(result.stderr)")
    for word in ["poster", "fanart", "clearlogo"] {
      #expect(result.stderr.contains("the \(word) cannot be had"), "\(result.stderr)")
    }
    #expect(stranger.requests.isEmpty)
    #expect(
      try files()
        == ["json", "mkv", "nfo"].map {
          $0 == "json" ? "shelf/Film/Film.manifest.json" : "shelf/Film/Film.\($0)"
        })
    #expect(silo.rows.map(\.status) == ["completed"])
  }

  @Test("the manifest is kept as it came")
  func verbatim() async throws {
    let text =
      #"{ "download_id":"1001","content_id":"film","type":"movie","revision":1,"title":"Film", "unknown":[1, 2.50],"file_size":\#(film.count),"artwork_urls":{},"subtitles":[]}"#
    silo.server.on("/api/v1/downloads/1001/manifest") { _, _ in .json(text) }
    #expect(try await get().status == 0)
    #expect(tool.has("shelf/Film/Film.manifest.json", Array(text.utf8)))
  }

  @Test(
    "subtitles that do not come now fail the item, whose file is not fetched again; those that are gone are told"
  )
  func subtitles() async throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nSelam\n"
    try tell([
      "subtitles": [
        [
          "language": "de", "format": "srt",
          "fetch_url": "/api/v1/downloads/1001/subtitles/external:0",
        ]
      ]
    ])
    asset("subtitles/external:0") { _, n in n == 1 ? .status(503) : .text(text) }
    let first = try await get()
    #expect(first.status == 5 && first.stderr.contains("German"), "\(first.stderr)")
    #expect(silo.rows.map(\.status) != ["completed"])
    #expect(tool.has("shelf/Film/Film.mkv", film))
    silo.server.forgetRequests()
    asset("subtitles/external:0") { _, _ in .text(text) }
    let second = try await get()
    #expect(second.status == 0, "\(second.stderr)")
    #expect(tool.has("shelf/Film/Film.de.srt", Array(text.utf8)))
    // A look into it, and not the whole.
    #expect(silo.fileByteCount < Int64(film.count))
    #expect(silo.rows.map(\.status) == ["completed"])
    try FileManager.default.removeItem(atPath: tool.folder.path("shelf/Film/Film.de.srt"))
    asset("subtitles/external:0") { _, _ in .json(#"{"error":"not_found"}"#, status: 404) }
    let told = try await get()
    #expect(told.status == 0 && told.stderr.contains("the German subtitles cannot be had"))
    let named = try await get("--subs", "de", "--overwrite")
    #expect(named.status == 3, "\(named.stderr)")
  }

  @Test("the still of an episode is its own picture, and is asked for once")
  func still() async throws {
    let path = tool.folder.path("still.png")
    try await runSuccessfully(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=96x54", "-frames:v", "1", path])
    let picture = try tool.folder.read("still.png")
    try FileManager.default.removeItem(atPath: path)
    try tell([
      "type": "episode", "episode_id": "e", "series_title": "Dizi", "season_number": 1,
      "episode_number": 2, "title": "İki",
      "artwork_urls": ["poster": "/api/v1/downloads/1001/artwork/poster"],
    ])
    asset("artwork/poster") { _, _ in .bytes(picture) }
    for _ in 1...2 {
      let result = try await get()
      #expect(result.status == 0, "\(result.stderr)")
      #expect(tool.has("shelf/Dizi/Season 01/Dizi S01E02 - İki-thumb.png", picture))
    }
    #expect(try !files().contains { $0.contains("poster") })
    #expect(silo.server.requests(for: "/api/v1/downloads/1001/artwork/poster").count == 1)
  }

  @Test("with the next revision everything beside the file is that of the next revision")
  func revisions() async throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nSelam\n"
    let address = "/api/v1/downloads/1001/subtitles/external:0"
    asset("subtitles/external:0") { _, _ in .text(text) }
    try tell(["subtitles": [["language": "tr", "format": "srt", "fetch_url": address]]])
    #expect(try await get().status == 0)
    try tell([
      "subtitles": [["language": "de", "format": "srt", "fetch_url": address]], "revision": 2,
      "overview": "New",
    ])
    silo.change("1001") { $0.revision = 2 }
    let second = try await get()
    #expect(second.status == 0, "\(second.stderr)")
    let stem = "shelf/Film/Film"
    #expect(try files() == [".de.srt", ".manifest.json", ".mkv", ".nfo"].map { stem + $0 })
    for name in [".nfo", ".manifest.json"] {
      #expect(String(decoding: tool.bytes(stem + name) ?? [], as: UTF8.self).contains("New"))
    }
  }

  @Test("what is left of a film that is gone is named; what is the user's is not")
  func orphans() async throws {
    try tell([:])
    #expect(try await get().status == 0)
    for name in [
      "Gone.nfo", "Gone-poster.jpg", "Gone.en.forced.srt", "Film.en.srt", "mine.txt",
      "Gone-fanart.jpg.side-part",
    ] { try tool.folder.write("shelf/Film/\(name)", "x") }
    try tool.folder.write("other/Gone.nfo", "x")
    let use = try jsonLines(try await tool.run(["storage", "--json"]))[0]
    let orphans = try #require(use["orphans"] as? [[String: Any]])
    #expect(
      orphans.compactMap { $0["path"] as? String }
        == ["Gone-fanart.jpg.side-part", "Gone-poster.jpg", "Gone.en.forced.srt", "Gone.nfo"].map {
          tool.folder.path("shelf/Film/\($0)")
        })
  }

  @Test("an item that the server calls otherwise by now keeps its name, and is not fetched again")
  func renamed() async throws {
    try tell([:])
    #expect(try await get().status == 0)
    silo.server.forgetRequests()
    try tell(["title": "Another", "year": 2020])
    let result = try await get("--json")
    #expect(result.status == 0 && result.stdout.contains("skipped"), "\(result.stdout)")
    #expect(try files() == [".manifest.json", ".mkv", ".nfo"].map { "shelf/Film/Film" + $0 })
    #expect(silo.fileByteCount < Int64(film.count))
  }

  @Test("a kill while subtitles come leaves a finished film, which the next run completes")
  func killed() async throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nSelam\n"
    let address = "/api/v1/downloads/1001/subtitles/external:0"
    try tell(["subtitles": [["language": "tr", "format": "srt", "fetch_url": address]]])
    asset("subtitles/external:0") { _, n in
      n == 1 ? .text(text).stalling(after: 5) : .text(text)
    }
    let first = try tool.start(["get", "silo:film", "-o", "shelf/"])
    await silo.server.until { $0.contains { $0.path.hasSuffix("external:0") } }
    first.signal(SIGKILL)
    _ = try await first.result()
    #expect(tool.has("shelf/Film/Film.mkv", film))
    #expect(!silo.confirmations.contains("1001 completed"))
    let before = silo.fileByteCount
    try tool.folder.write("shelf/Film/Film.tr.srt.side-part", "half")
    let second = try await get()
    #expect(second.status == 0, "\(second.stderr)")
    #expect(silo.fileByteCount - before < Int64(film.count))
    #expect(
      try files() == [".manifest.json", ".mkv", ".nfo", ".tr.srt"].map { "shelf/Film/Film" + $0 })
    #expect(tool.has("shelf/Film/Film.tr.srt", Array(text.utf8)))
    #expect(silo.confirmations.last == "1001 completed")
  }
}
