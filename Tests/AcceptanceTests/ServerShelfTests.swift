import Foundation
import SiloTestSupport
import Testing

/// Items of a server lie as a media centre reads them, with everything that belongs to them, and leave nothing behind.
@Suite("A shelf", .timeLimit(.minutes(5)))
struct ServerShelfTests {
  let tool: Tool
  let media: TemporaryFolder

  init() throws { (tool, media) = (try Tool(), try TemporaryFolder()) }

  private func picture(_ name: String, _ size: String) async throws {
    let path = try media.write(name, "")
    try await runSuccessfully(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=\(size)", "-frames:v", "1", path])
  }

  /// Serves the folder and signs in; returns the server and the key.
  private func signedIn() async throws -> (server: RunningCommand, key: String) {
    let server = try tool.start([
      "serve", media.path, "--listen", "127.0.0.1:0", "--json", "-v", "--data",
      tool.folder.path("data"),
    ])
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let keyFile = try #require(listening["api_key_file"] as? String)
    let key = try String(contentsOfFile: keyFile, encoding: .utf8).split(separator: "\n")[0]
    try await tool.signIn(at: try #require(listening["url"] as? String), key: String(key))
    return (server, String(key))
  }

  private func source(_ words: String, type: String) async throws -> String {
    let search = try await tool.run(["search", "--json", words])
    let lines = try jsonLines(search).filter { $0["type"] as? String == type }
    return try #require(lines.first?["source"] as? String, "\(search.stdout)")
  }

  private func files(_ folder: String) throws -> [String] {
    try tool.folder.names().filter { name in
      var isFolder: ObjCBool = false
      return name.hasPrefix(folder + "/")
        && FileManager.default.fileExists(atPath: tool.folder.path(name), isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private func addFilm() async throws {
    try await picture("Heat (1995)/poster.jpg", "64x96")
    _ = try await Film.mkv.copy(to: media, as: "Heat (1995)/Heat (1995).mkv")
    try await picture("Heat (1995)/fanart.webp", "96x54")
    try await picture("Heat (1995)/clearlogo.png", "96x32")
    let text = "1\n00:00:01,000 --> 00:00:02,000\nSelam\n"
    try media.write("Heat (1995)/Heat (1995).tr.forced.srt", text)
    try media.write("Heat (1995)/Heat (1995).de.srt", text)
    try media.write(
      "Heat (1995)/movie.nfo",
      "<movie><title>Heat</title><year>1995</year><plot>Cops &amp; robbers</plot><tmdbid>949</tmdbid></movie>"
    )
  }

  @Test(
    "a film has its pictures, subtitles and notes; what is missing comes back, and what is the user's stays"
  )
  func film() async throws {
    try await addFilm()
    let (server, key) = try await signedIn()
    defer { server.signal(SIGTERM) }
    let film = try await source("heat", type: "movie")
    let probe = try await tool.run(["probe", "--json", film, "--subs", "de"])
    let found = try #require(try jsonLines(probe).first)
    let beside = (found["subtitles"] as? [[String: Any]] ?? []).filter {
      $0["external"] as? Bool == true
    }
    #expect(beside.compactMap { $0["language"] as? String }.sorted() == ["de", "tr"])
    let german = beside.first { $0["language"] as? String == "de" }?["id"] as? String
    let chosen = (found["selection"] as? [String: Any])?["subtitles"] as? [String]
    #expect(german != nil && chosen?.contains(german ?? "") == true, "\(probe.stdout)")
    #expect(try await tool.run(["probe", film]).stdout.contains("a file beside it"))
    try tool.folder.write("shelf/Heat (1995)/Heat (1995)-fanart.jpg", "mine")
    let words = ["get", "--json", film, "-o", "shelf/", "--audio", "tr,en", "--subs", "fr,de"]
    let result = try await tool.run(words)
    #expect(result.status == 0, "\(result.stderr) \(result.stdout)")
    let stem = "shelf/Heat (1995)/Heat (1995)"
    let ours = [
      "-clearlogo.png", "-poster.jpg", ".de.srt", ".manifest.json", ".mp4", ".nfo",
      ".tr.forced.srt",
    ]
    #expect(try files("shelf") == (ours + ["-fanart.jpg"]).map { stem + $0 }.sorted())
    #expect(tool.has("\(stem)-fanart.jpg", Array("mine".utf8)))
    #expect(result.stdout.contains("fanart.jpg is not from here"), "\(result.stdout)")
    let finished = try jsonLines(result).first { $0["event"] as? String == "finished" }
    #expect((finished?["side_files"] as? [String])?.count == 6, "\(result.stdout)")
    #expect(result.stdout.contains("No subtitles for fr.") && !result.stdout.contains("fr, de"))
    let text = try await Probe.streams(tool.folder.path("\(stem).tr.forced.srt"), kind: "subtitle")
    #expect(text.map(\.codec) == ["subrip"])
    let note = try XMLBranch.root(
      of: String(decoding: try tool.folder.read("\(stem).nfo"), as: UTF8.self))
    #expect(note.branches(named: "plot").first?.text == "Cops & robbers")
    #expect(note.branches(named: "uniqueid").first?.text == "949")
    for name in try files("shelf") where !name.hasSuffix(".mp4") {
      let text = String(decoding: try tool.folder.read(name), as: UTF8.self)
      #expect(!text.contains(key) && !text.contains("127.0.0.1"), "\(name)")
    }
    try await mend(words, stem, film)
  }

  /// A rerun brings what is missing and touches nothing else; then the library lists, exports and removes all of it.
  private func mend(_ words: [String], _ stem: String, _ film: String) async throws {
    let before = try FileManager.default.attributesOfItem(atPath: tool.folder.path("\(stem).mp4"))
    try FileManager.default.removeItem(atPath: tool.folder.path("\(stem)-poster.jpg"))
    let id = try #require(
      try jsonLines(try await tool.run(["library", "--json"])).first?["id"] as? String)
    let verified = try await tool.run(["library", "verify", "--json"])
    #expect(verified.status == 0 && verified.stderr.contains("-poster.jpg is missing"))
    let lost = try jsonLines(verified).first?["missing_side_files"] as? [String]
    #expect(lost == [tool.folder.path("\(stem)-poster.jpg")])
    try tool.folder.write("\(stem).nfo", "<movie>mine</movie>")
    let again = try await tool.run(words)
    #expect(again.status == 0)
    #expect(try jsonLines(again).contains { $0["event"] as? String == "skipped" })
    #expect(try files("shelf").contains("\(stem)-poster.jpg"))
    #expect(tool.has("\(stem).nfo", Array("<movie>mine</movie>".utf8)))
    let after = try FileManager.default.attributesOfItem(atPath: tool.folder.path("\(stem).mp4"))
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    let shown = try #require(
      try jsonLines(try await tool.run(["library", "show", id, "--json"])).first)
    let beside = try #require(shown["side_files"] as? [[String: Any]])
    #expect(
      beside.compactMap { $0["kind"] as? String }
        == ["clearlogo", "poster", "subtitles", "manifest", "nfo", "subtitles"])
    #expect(beside.compactMap { $0["state"] as? String }.contains("changed"))
    let use = try jsonLines(try await tool.run(["storage", "--json"]))[0]
    #expect((use["bytes"] as? Int ?? 0) > (shown["bytes"] as? Int ?? .max))
    let export = try await tool.run(["library", "export", "stick"])
    #expect(export.status == 0, "\(export.stderr)")
    #expect(
      try files("stick").map { $0.replacing("stick/", with: "shelf/") }
        == files("shelf").filter { !$0.hasSuffix("-fanart.jpg") })
    try tool.folder.write("shelf/Heat (1995)/Heat (1995)-poster.jpg.side-part", "left")
    #expect(try await tool.run(["library", "remove", id]).status == 0)
    #expect(try files("shelf") == ["\(stem)-fanart.jpg", "\(stem).nfo"])
  }

  @Test("what a series has is fetched once, and goes with its last episode")
  func season() async throws {
    try media.write(
      "Dizi (2020)/Season 01/Dizi S01E02.en.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n")
    for number in 1...2 {
      _ = try await Film.mkv.copy(to: media, as: "Dizi (2020)/Season 01/Dizi S01E0\(number).mkv")
    }
    try await picture("Dizi (2020)/poster.jpg", "64x96")
    try await picture("Dizi (2020)/fanart.jpg", "96x54")
    try media.write(
      "Dizi (2020)/tvshow.nfo", "<tvshow><title>Dizi</title><plot>Uzun</plot></tvshow>")
    let (server, _) = try await signedIn()
    defer { server.signal(SIGTERM) }
    let series = try await source("dizi", type: "series")
    let season = try await tool.run(["season", series, "--json", "-o", "shelf/", "-j", "2"])
    #expect(season.status == 0, "\(season.stderr) \(season.stdout)")
    let folder = "shelf/Dizi (2020)"
    let shared = ["fanart.jpg", "poster.jpg", "tvshow.nfo"]
    let episodes = (1...2).map { number in
      [".manifest.json", ".mkv", ".nfo"].map {
        "Season 01/Dizi S01E0\(number) - Episode \(number)\($0)"
      }
    }
    let text = "Season 01/Dizi S01E02 - Episode 2.en.vtt"
    #expect(
      try files("shelf")
        == (shared + episodes[0] + episodes[1] + [text]).map { "\(folder)/\($0)" }
        .sorted())
    #expect(
      String(decoding: try tool.folder.read("\(folder)/tvshow.nfo"), as: UTF8.self)
        .contains("<plot>Uzun</plot>"))
    let asked = server.outputSoFar.split(separator: "\n").filter { $0.contains("/artwork/") }
    #expect(asked.count == 2, "\(asked)")
    let entries = try jsonLines(try await tool.run(["library", "--json"]))
    let ids = entries.compactMap { $0["id"] as? String }
    try #require(ids.count == 2)
    #expect(try await tool.run(["library", "export", "stick"]).status == 0)
    #expect(
      try files("stick").map { $0.replacing("stick/", with: "shelf/") } == files("shelf"))
    try tool.folder.write("\(folder)/poster.jpg.side-part", "left")
    let first = try await tool.run(["library", "remove", ids[0]])
    #expect(first.status == 0, "\(first.stderr)")
    #expect(
      try files("shelf").filter { !$0.contains("Season") && !$0.hasSuffix(".side-part") }
        == shared.map { "\(folder)/\($0)" })
    #expect(try await tool.run(["library", "remove", ids[1]]).status == 0)
    #expect(try tool.folder.names().filter { $0.hasPrefix("shelf") } == [])
  }
}
