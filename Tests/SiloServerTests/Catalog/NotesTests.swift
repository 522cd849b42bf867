import Testing

@testable import SiloServer

@Suite("NFO files")
struct NotesTests {
  @Test("The notes of a film give all that is known of it")
  func film() throws {
    let notes = try #require(
      try NotesReader.read(
        Array(
          """
          <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
          <!-- made by hand -->
          <movie>
            <title>Kış Uykusu &amp; more</title>
            <originaltitle>Winter Sleep</originaltitle>
            <year>2014</year>
            <plot><![CDATA[A hotel <in> Anatolia.]]></plot>
            <outline>Short.</outline>
            <runtime>196 min</runtime>
            <mpaa>Rated PG-13 for talk</mpaa>
            <genre>Drama / Comedy</genre><genre>Drama</genre>
            <uniqueid type="tmdb" default="true">209274</uniqueid>
            <uniqueid type="imdb">tt2758880</uniqueid>
            <actor><name>Haluk</name><title>no title of the film</title></actor>
          </movie>
          https://www.example.org/?a=1&b=2
          """.utf8)
      ).first)
    #expect(notes.kind == .movie)
    #expect(notes.title == "Kış Uykusu & more")
    #expect(notes.originalTitle == "Winter Sleep")
    #expect(notes.year == 2014)
    #expect(notes.overview == "A hotel <in> Anatolia.")
    #expect(notes.runtimeMinutes == 196)
    #expect(notes.contentRating == "PG-13")
    #expect(notes.genres == ["Drama", "Comedy"])
    #expect(notes.ids.byProvider == ["tmdb": "209274", "imdb": "tt2758880"])
  }

  @Test("A file with several episodes gives the notes of each")
  func episodes() throws {
    let text = """
      <episodedetails><title>One</title><season>1</season><episode>2</episode>
      <aired>2017-12-01</aired></episodedetails>
      <episodedetails><title>Two</title><season>1</season><episode>3</episode></episodedetails>
      """
    let notes = try NotesReader.read(Array(text.utf8))
    #expect(notes.map(\.title) == ["One", "Two"])
    #expect(notes.map(\.season) == [1, 1])
    #expect(notes.map(\.episode) == [2, 3])
    #expect(notes.first?.airDate == "2017-12-01")
    #expect(notes.first?.year == 2017)
  }

  @Test("A series' notes give its old ids, too")
  func series() throws {
    let text =
      "<tvshow><id>334824</id><status>Ended</status><premiered>2017-12-01</premiered></tvshow>"
    let notes = try #require(try NotesReader.read(Array(text.utf8)).first)
    #expect(notes.ids.byProvider == ["tvdb": "334824"])
    #expect(notes.status == "Ended")
    #expect(notes.year == 2017)
  }

  @Test(
    "Values of the wrong form count for nothing",
    arguments: [
      "<movie><year>soon</year></movie>", "<movie><year>99999999999999999999</year></movie>",
      "<movie><runtime>-5</runtime></movie>", "<movie><uniqueid type='imdb'>603</uniqueid></movie>",
      "<movie><premiered>2017-13-45</premiered></movie>",
      "<movie><uniqueid>603</uniqueid></movie>", "<movie><title></title></movie>",
    ])
  func wrongValues(text: String) throws {
    var empty = MediaNotes(kind: .movie)
    let notes = try #require(try NotesReader.read(Array(text.utf8)).first)
    // Of a date only the year may be right.
    empty.year = text.contains("premiered") ? 2017 : nil
    #expect(notes == empty)
  }

  private static func bytes(_ head: [UInt8], _ text: String) -> [UInt8] { head + Array(text.utf8) }

  private static func wide(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for unit in text.utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    return bytes
  }

  @Test(
    "Encodings are read as the file says",
    arguments: [
      bytes([0xEF, 0xBB, 0xBF], "<movie><title>ğ</title></movie>"),
      bytes([], "<?xml version='1.0' encoding='ISO-8859-9'?><movie><title>")
        + bytes([0xF0], "</title></movie>"),
      wide("\u{FEFF}<movie><title>ğ</title></movie>"),
    ])
  func encodings(bytes: [UInt8]) throws {
    #expect(try NotesReader.read(bytes).first?.title == "ğ")
  }

  @Test(
    "What is hostile or broken is refused",
    arguments: [
      "<!DOCTYPE movie [<!ENTITY a \"b\">]><movie><title>&a;</title></movie>",
      "<!DOCTYPE movie SYSTEM \"file:///etc/passwd\"><movie/>",
      "<movie><title>half",
      "<movie></tvshow>",
      "<movie><title>&unknown;</title></movie>",
      String(repeating: "<a>", count: 100_000),
      "<movie>" + String(repeating: " ", count: NotesReader.byteLimit) + "</movie>",
    ])
  func hostile(text: String) {
    #expect(throws: NotesFlaw.self) { try NotesReader.read(Array(text.utf8)) }
  }

  @Test(
    "What says nothing of media gives no notes",
    arguments: ["", "https://www.example.org/title/tt1", "<html><title>x</title></html>", "\0\0"])
  func nothing(text: String) throws {
    #expect(try NotesReader.read(Array(text.utf8)).isEmpty)
  }
}
