import Foundation
import SiloTestSupport
import Testing

/// An item of a Silo server: what is stored are the wanted languages of the registered file, and the server knows.
@Suite("An item of a server", .timeLimit(.minutes(5)))
struct SiloItemTests {
  let tool: Tool
  let media: TemporaryFolder

  init() throws {
    (tool, media) = (try Tool(), try TemporaryFolder())
  }

  /// Serves the folder, signs in with the key that the server made, and returns the server and its address.
  private func signedIn() async throws -> (server: RunningCommand, url: String) {
    let server = try tool.start([
      "serve", media.path, "--listen", "127.0.0.1:0", "--json", "--data", tool.folder.path("data"),
    ])
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let url = try #require(listening["url"] as? String)
    let keyFile = try #require(listening["api_key_file"] as? String)
    let key = try String(contentsOfFile: keyFile, encoding: .utf8)
    let login = try await SiloTestSupport.run(
      try productPath("silo-fetch"), ["login", url, "--api-key-stdin"],
      environment: tool.environment, input: key)
    if login.status != 0 { server.signal(SIGTERM) }
    try #require(login.status == 0, "\(login.stderr)")
    return (server, url)
  }

  private func found(_ words: String...) async throws -> [String: Any] {
    let search = try await tool.run(["search", "--json"] + words)
    #expect(search.status == 0, "\(search.stderr)")
    return try #require(try jsonLines(search).first)
  }

  @Test(
    "a film is found, fetched with the wanted languages, and confirmed; a second run fetches nothing"
  )
  func film() async throws {
    let film = try await Film.mkv.copy(to: media, as: "The Film (2024).mkv")
    let (server, _) = try await signedIn()
    defer { server.signal(SIGTERM) }
    let source = try #require(try await found("film")["source"] as? String)
    let words = ["get", "--json", "--audio", "tr,en", source, "-o", "out.mkv"]
    let result = try await tool.run(words)
    #expect(result.status == 0, "\(result.stderr) \(result.stdout)")
    let output = tool.folder.path("out.mkv")
    let audio = try await Probe.streams(output, kind: "audio")
    #expect(audio.map(\.language) == ["tur", "eng"])
    for (track, origin) in [("v:0", "v:0"), ("a:0", "a:0"), ("a:1", "a:1")] {
      let hashes = try await Probe.packetHashes(output, track).filter { $0.hasPrefix("MD5:") }
      let expected = try await Probe.packetHashes(film, origin).filter { $0.hasPrefix("MD5:") }
      #expect(hashes == expected, "\(track)")
    }
    let finished = try #require(
      try jsonLines(result).first { $0["event"] as? String == "finished" })
    #expect((finished["verified"] as? [String])?.contains("oshash") == true, "\(finished)")
    #expect(try await tool.rows() == ["completed"])
    let again = try await tool.run(words)
    #expect(again.status == 0)
    #expect(try jsonLines(again).contains { $0["event"] as? String == "skipped" })
    #expect(try await tool.rows() == ["completed"])
    let season = try await tool.run(["season", source])
    #expect(season.status == 2 && season.stderr.contains("no series: fetch it with get"))
  }

  @Test("a copy on a shelf that lies in this folder is none on the shelf of this folder")
  func copyBelow() async throws {
    _ = try await Film.mkv.copy(to: media, as: "The Film (2024).mkv")
    let (server, _) = try await signedIn()
    defer { server.signal(SIGTERM) }
    let source = try #require(try await found("film")["source"] as? String)
    let name = "The Film (2024)/The Film (2024).mkv"
    for (words, expected) in [
      (["get", source, "-o", "Films/"], ["Films/\(name)"]),
      (["get", source], [name, "Films/\(name)"]), (["get", source], [name, "Films/\(name)"]),
    ] {
      let result = try await tool.run(words)
      #expect(result.status == 0, "\(result.stderr)")
      #expect(Set(try tool.media()) == Set(expected), "\(words)")
    }
  }

  @Test(
    "the version is chosen by language, and a season brings its episodes")
  func versionsAndSeason() async throws {
    let languages = [
      "tur": "The Film (2024)/The Film (2024) - 720p.mkv",
      "eng": "The Film (2024)/The Film (2024) - 1080p.mkv",
    ]
    for (language, name) in languages {
      let path = try media.write(name, "")
      try await runSuccessfully(
        "ffmpeg",
        [
          "-v", "error", "-y", "-i", try await Film.mkv.path(), "-map", "0:v:0", "-map",
          "0:a:\(language == "tur" ? 0 : 1)", "-c", "copy", path,
        ])
    }
    try media.write(
      "Dizi (2020)/Season 01/Dizi S01E03.nfo",
      "<episodedetails><title>Three</title><season>1</season><episode>3</episode></episodedetails>")
    for name in ["Dizi S01E01.mkv", "Dizi S01E02.mkv"] {
      _ = try await Film.mkv.copy(to: media, as: "Dizi (2020)/Season 01/\(name)")
    }
    let (server, _) = try await signedIn()
    defer { server.signal(SIGTERM) }
    let film = try #require(try await found("film")["source"] as? String)
    for (wish, language) in [("tr", "tur"), ("en", "eng")] {
      let result = try await tool.run(["--audio", wish, film, "-o", "\(wish).mkv"])
      #expect(result.status == 0, "\(result.stderr)")
      let audio = try await Probe.streams(tool.folder.path("\(wish).mkv"), kind: "audio")
      #expect(audio.map(\.language) == [language])
    }
    let all = try jsonLines(try await tool.run(["search", "--json", "dizi"]))
    let series = try #require(all.first { $0["type"] as? String == "series" }?["source"] as? String)
    let refused = try await tool.run(["get", series])
    #expect(refused.status == 2 && refused.stderr.contains("season \(series)"), "\(refused.stderr)")
    let season = try await tool.run([
      "season", series, "--season", "1", "--json", "--audio", "ja", "-o", "Dizi/",
    ])
    #expect(season.status == 0, "\(season.stderr)")
    let lines = try jsonLines(season)
    // One has only an NFO file.
    #expect(lines.last?["finished"] as? Int == 2 && lines.last?["skipped"] as? Int == 1)
    for number in 1...2 {
      let name = "Dizi/Dizi (2020)/Season 01/Dizi S01E0\(number) - Episode \(number).mp4"
      let audio = try await Probe.streams(tool.folder.path(name), kind: "audio")
      #expect(audio.map(\.language) == ["jpn"], "\(name)")
    }
    #expect(Set(try await tool.rows()) == ["completed"])
    let none = try await tool.run(["season", series, "--season", "9", "-o", "Dizi/"])
    #expect(none.status == 3 && none.stderr.contains("there are: 1"), "\(none.stderr)")
  }
}
