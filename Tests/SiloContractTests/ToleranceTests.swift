import SiloContract
import Testing

@Suite struct ToleranceTests {
  @Test func `Null, empty and missing are all not known`() throws {
    let manifest = try decode(
      OfflineManifest.self,
      """
      {"download_id":"1","content_id":"a","episode_id":"","revision":1,"series_id":"",
       "season_number":null,"recap":null,"overview":"","artwork_urls":{"poster":"","logo":null},
       "audio_tracks":null,"duration_seconds":"long","year":"2024","genres":"Drama","hdr":1,
       "integrity":[],"type":7,"generated_at":"yesterday","file_size":"12"}
      """)
    #expect(manifest.episodeID == nil && manifest.seriesID == nil && manifest.overview == nil)
    #expect(manifest.seasonNumber == nil && manifest.recap == nil && manifest.audioTracks == nil)
    #expect(manifest.artworkURLs == ArtworkURLs() && manifest.subtitles.isEmpty)
    #expect(manifest.durationSeconds == nil && manifest.year == nil && manifest.genres == nil)
    #expect(manifest.isHDR == nil && manifest.integrity == nil && manifest.type == nil)
    #expect(manifest.generatedAt == nil && manifest.fileSize == nil)
  }

  @Test func `Words that are not known are kept`() throws {
    let text = ContractShapes.filmRow.replacing("\"completed\"", with: "\"frozen\"").replacing(
      "\"original\"", with: "\"40mbps\"")
    let row = try decode(DownloadRow.self, text)
    #expect(row.status.rawValue == "frozen" && row.quality?.rawValue == "40mbps")
    #expect(row.quality?.kilobitsPerSecond == nil)
    #expect(Quality.ladder.map(\.kilobitsPerSecond) == [nil, 20000, 10000, 5000, 2000, 1000])
  }

  @Test func `A part of a list that cannot be read is left out alone`() throws {
    let manifest = try decode(
      OfflineManifest.self,
      """
      {"download_id":"1","content_id":"a","revision":1,"artwork_urls":{},
       "subtitles":[{"format":"srt"},7,null,{"fetch_url":"/x"}],"chapters":[{},
       {"index":1,"start_seconds":1,"end_seconds":2}],"genres":["Drama",4]}
      """)
    #expect(manifest.subtitles.map(\.fetchURL) == ["/x"])
    #expect(manifest.chapters?.map(\.index) == [1])
    #expect(manifest.genres == ["Drama"])
  }

  @Test func `A list with rows that cannot be read says how many`() throws {
    let list = try decode(
      DownloadList.self, "{\"downloads\":[\(ContractShapes.filmRow),{\"id\":\"../x\"},null]}")
    #expect(list.downloads.count == 1 && list.unreadableCount == 2)
    #expect(try decode(DownloadList.self, "{\"downloads\":null}").downloads.isEmpty)
  }

  @Test(arguments: [
    ("no object", "[]", ContractError(.wrong, key: nil)),
    ("no JSON", "<html>", ContractError(.notJSON, key: nil)),
    ("nothing", "", ContractError(.notJSON, key: nil)),
    ("no id", "{\"content_id\":\"a\"}", ContractError(.missing, key: "id")),
    ("a number as id", "{\"id\":7}", ContractError(.wrong, key: "id")),
    ("an id that leads out", "{\"id\":\"../7\"}", ContractError(.wrong, key: "id")),
    ("a null id", "{\"id\":null}", ContractError(.missing, key: "id")),
    (
      "a revision of text",
      "{\"id\":\"7\",\"content_id\":\"a\",\"status\":\"ready\",\"revision\":\"1\"}",
      ContractError(.wrong, key: "revision")
    ),
    (
      "a row in a batch", "{\"downloads\":[{\"id\":\"7\"}]}",
      ContractError(.missing, key: "downloads.0.content_id")
    ),
  ])
  func `What is missing or wrong is named`(_ name: String, _ json: String, _ error: ContractError) {
    #expect(throws: error) { try decode(CreateAnswer.self, json) }
  }

  @Test func `Something else than a list does not pass for an empty one`() {
    #expect(throws: ContractError(.missing, key: "downloads")) {
      try decode(DownloadList.self, "{\"items\":[]}")
    }
  }

  @Test(arguments: [
    ("{\"content_id\":7}", "content_id"), ("{\"content_id\":\"a\",\"file_id\":\"7\"}", "file_id"),
    ("{\"content_id\":\"a\",\"series\":1}", "series"),
    ("{\"content_id\":\"a\",\"season_number\":\"1\"}", "season_number"),
    ("{\"content_id\":\"a\",\"quality\":false}", "quality"),
  ])
  func `A request with a value of another type is refused`(_ json: String, _ key: String) {
    #expect(throws: ContractError(.wrong, key: key)) { try decode(CreateRequest.self, json) }
  }

  @Test func `A season is asked for by the presence of its number`() throws {
    let request = "{\"content_id\":\"a\",\"series\":true"
    #expect(try decode(CreateRequest.self, request + "}").seasonNumber == nil)
    #expect(try decode(CreateRequest.self, request + ",\"season_number\":0}").seasonNumber == 0)
    #expect(try decode(CreateRequest.self, request + ",\"quality\":\"\"}").quality == nil)
  }

  @Test func `Ids that are no plain names are refused`() {
    let good = ["7301", "dl_01H-x.y~z", String(repeating: "a", count: 128)]
    let bad = [
      "", ".", "..", ".hidden", "a/b", "a\\b", "a b", "ü", "a\u{0}", "a\n", "a:b", "%2e%2e",
      String(repeating: "a", count: 129),
    ]
    #expect(good.allSatisfy { DownloadID($0)?.text == $0 && BatchID($0) != nil })
    #expect(bad.allSatisfy { DownloadID($0) == nil && BatchID($0) == nil })
  }

  @Test func `Numbers of files and accounts may come as text`() throws {
    let row = try decode(
      DownloadRow.self, ContractShapes.filmRow.replacing(":41", with: ":\"41\""))
    #expect(row.mediaFileID == MediaFileID(41))
    #expect(try decode(Account.self, "{\"id\":\"u-1\",\"username\":\"a\"}").id.text == "u-1")
  }

  @Test func `References to subtitles are read as servers read them`() {
    let good: [(String, SubtitleReference)] = [
      ("external:12", .external(12)), ("downloaded:7", .downloaded(7)),
      ("external:0", .external(0)),
    ]
    for (text, reference) in good {
      #expect(SubtitleReference(text) == reference && "\(reference)" == text)
    }
    let bad = [
      "", "bogus", "external:x", "weird:1", "external:", "external:-1", "external:1:2", ":1",
      "external:99999999999999999999", "External:1",
    ]
    #expect(bad.allSatisfy { SubtitleReference($0) == nil })
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try ContractJSON.decode(type, from: Array(json.utf8))
  }
}
