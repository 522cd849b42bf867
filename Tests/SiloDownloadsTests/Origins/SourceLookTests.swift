import Foundation
import SiloMedia
import SiloStore
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Looks into a source")
struct SourceLookTests {
  /// What the answer to the few bytes says, beside the strong ETag "a", the date and 100 bytes of the look.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var status = 206
    var range = "bytes 0-9/100"
    var tag: String? = "\"a\""
    var date: String? = "Mon, 30 Nov 2026 12:00:00 GMT"
    /// Whether the look is good for it.
    let holds: Bool
  }

  static let same = Row(testDescription: "the same", holds: true)

  static let rows = [
    same,
    Row(testDescription: "another ETag", tag: "\"b\"", holds: false),
    Row(testDescription: "another ETag, no date", tag: "\"b\"", date: nil, holds: false),
    Row(
      testDescription: "another date, the same ETag", date: "Tue, 01 Dec 2026 12:00:00 GMT",
      holds: true),
    Row(testDescription: "no date, the same ETag", date: nil, holds: true),
    Row(testDescription: "no ETag, the same date", tag: nil, holds: true),
    Row(
      testDescription: "no ETag, another date", tag: nil, date: "Tue, 01 Dec 2026 12:00:00 GMT",
      holds: false),
    Row(testDescription: "a weak ETag, no date", tag: "W/\"a\"", date: nil, holds: false),
    Row(testDescription: "no validators", tag: nil, date: nil, holds: false),
    Row(testDescription: "another length", range: "bytes 0-9/101", holds: false),
    Row(testDescription: "no length", range: "bytes 0-9/*", holds: false),
    Row(testDescription: "another part", range: "bytes 10-19/100", holds: false),
    Row(testDescription: "no ranges", status: 200, holds: false),
  ]

  @Test(
    "a look is good for what is proven to be the same file, and for nothing else", arguments: rows)
  func holds(_ row: Row) throws {
    let look = try #require(SourceLook(Self.film, by: Self.head(Self.same)))
    #expect(look.holds(for: Self.head(row)) == row.holds)
  }

  @Test(
    "what cannot be recognised later is not noted",
    arguments: [
      Row(testDescription: "the date alone tells", tag: nil, holds: true),
      Row(testDescription: "a weak ETag, no date", tag: "W/\"a\"", date: nil, holds: false),
      Row(testDescription: "no validators", tag: nil, date: nil, holds: false),
      Row(testDescription: "no length", range: "bytes 0-9/*", holds: false),
      Row(testDescription: "no ranges", status: 200, holds: false),
    ])
  func notes(_ row: Row) {
    #expect((SourceLook(Self.film, by: Self.head(row)) != nil) == row.holds)
  }

  @Test("nothing inside is looked for again")
  func empty() {
    let head = Self.head(Self.same)
    #expect(SourceLook(MediaInventory(kind: .file), by: head) == nil)
  }

  @Test(
    "what was found in a film comes back as it was, until it is forgotten", arguments: Film.allCases
  )
  func kept(film: Film) async throws {
    let folder = try TemporaryFolder()
    let looks = SourceLooks(store: StateStore(home: URL(filePath: folder.path)))
    #expect(await looks.recall("film") == nil)
    let inventory = try await MediaInventory.probe(.file(URL(filePath: try await film.path())))
    let look = try #require(
      SourceLook(inventory, by: Self.head(Self.same)))
    try await looks.note(look, into: "film")
    #expect(await looks.recall("film") == look)
    #expect(await looks.recall("another") == nil)
    try await looks.forget("film")
    #expect(await looks.recall("film") == nil)
  }

  @Test("only the newest are kept, and none that is longer than the look that it saves")
  func bounds() async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(home: URL(filePath: folder.path))
    let looks = SourceLooks(store: store)
    let head = Self.head(Self.same)
    let look = try #require(SourceLook(Self.film, by: head))
    for number in 0..<SourceLookTable.most + 3 { try await looks.note(look, into: "\(number)") }
    // Noted again, it is one of the newest.
    try await looks.note(look, into: "3")
    try await looks.note(look, into: "new")
    let rows = try await store.read { try $0.rows("SELECT source FROM source_look ORDER BY id") }
    let kept = (5..<SourceLookTable.most + 3).map { "\($0)" } + ["3", "new"]
    #expect(rows == kept.map { [.text($0)] })

    var long = Self.film
    long.title = String(repeating: "x", count: SourceLookTable.longest)
    try await looks.note(try #require(SourceLook(long, by: head)), into: "new")
    #expect(await looks.recall("new") == nil)
  }

  @Test(
    "a row that is damaged is none",
    arguments: [
      "x''", "x'7b7d'", "x'ff00'", "substr(look, 1, length(look) / 2)", "zeroblob(1000000)",
    ])
  func damaged(_ bytes: String) async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(home: URL(filePath: folder.path))
    let looks = SourceLooks(store: store)
    let head = Self.head(Self.same)
    try await looks.note(try #require(SourceLook(Self.film, by: head)), into: "film")
    try await store.write { try $0.execute("UPDATE source_look SET look = \(bytes)") }
    #expect(await looks.recall("film") == nil)
  }

  @Test("a state that is no database is no look, and no error")
  func foreign() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("state.sqlite", String(repeating: "mine", count: 2000))
    #expect(
      await SourceLooks(store: StateStore(home: URL(filePath: folder.path))).recall("film") == nil)
  }

  private static let film = MediaInventory(
    kind: .file, container: "mkv", size: SizeEstimate(byteCount: 100, basis: .exact),
    audio: [AudioTrack(id: TrackID(.audio, 0), place: .stream(0), codec: "aac")])

  private static func head(_ row: Row) -> HTTPResponseHead {
    let fields = [
      ("Content-Range", row.status == 206 ? row.range : nil), ("ETag", row.tag),
      ("Last-Modified", row.date), ("Date", "Mon, 01 Jan 2035 00:00:00 GMT"),
    ]
    return HTTPResponseHead(
      status: row.status, url: URL(filePath: "/film.mkv"),
      headers: fields.compactMap { name, value in value.map { HTTPHeader(name, $0) } })
  }
}

extension SourceLooks {
  /// Notes what was found in `source`, as the beginning of a download does.
  fileprivate func note(_ look: SourceLook, into source: String) async throws {
    try await store.write { try SourceLookTable.store(look, into: source, in: $0) }
  }
}
