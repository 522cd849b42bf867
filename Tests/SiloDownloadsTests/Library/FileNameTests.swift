import Testing

@testable import SiloDownloads

@Suite("File names")
struct FileNameTests {
  static let rows: [(String, String?)] = [
    ("Film.mkv", "Film.mkv"),
    ("../../etc/passwd", "-..-etc-passwd"),
    ("/absolute/path.mkv", "-absolute-path.mkv"),
    ("a\\b:c|d.mp4", "a-b-c-d.mp4"),
    ("what?*<>\".mkv", "what.mkv"),
    ("line\nbreak\u{1B}[31m.mkv", "linebreak[31m.mkv"),
    ("  spaced   out .mkv ", "spaced out .mkv"),
    ("...hidden", "hidden"),
    ("trailing. . .", "trailing"),
    ("CON.mkv", "_CON.mkv"), ("com1.txt", "_com1.txt"), ("Console.mkv", "Console.mkv"),
    ("e\u{301}te\u{301}.mkv", "été.mkv"),
    ("right\u{202E}gnp.mkv", "rightgnp.mkv"),
    ("", nil), ("...", nil), ("\u{0}\u{7}", nil), ("???", nil), (" ", nil),
  ]

  @Test("a name is made safe for every file system")
  func safe() {
    for (text, expected) in Self.rows {
      #expect(FileName(text)?.description == expected, "\(text.debugDescription)")
    }
  }

  @Test("a long name is cut between graphemes and keeps its suffix")
  func cut() throws {
    for unit in ["a", "é", "字", "👩‍👩‍👧"] {
      let name = try #require(FileName(String(repeating: unit, count: 400) + ".mkv"))
      #expect(name.description.utf8.count <= FileName.byteLimit)
      #expect(name.description.utf8.count > FileName.byteLimit - unit.utf8.count - 4)
      #expect(name.suffix == "mkv")
      #expect(name.stem.allSatisfy { String($0) == unit })
    }
  }

  @Test("a suffix is short and plain")
  func suffix() throws {
    for (text, suffix) in [
      ("a.mkv", "mkv"), ("a.MP4", "mp4"), ("Vol. 2", ""), ("no", ""), ("a.b.c", "c"),
    ] {
      #expect(try #require(FileName(text)).suffix == suffix)
    }
  }

  @Test("Content-Disposition gives the extended name first")
  func disposition() {
    let rows: [(String, String?)] = [
      ("attachment", nil),
      ("attachment; filename=film.mkv", "film.mkv"),
      ("attachment; filename=\"a; b.mkv\"", "a; b.mkv"),
      ("attachment; filename=\"a\\\"b.mkv\"", "a\"b.mkv"),
      ("attachment; filename=\"x.mkv\"; filename*=UTF-8''%C3%A9t%C3%A9.mkv", "été.mkv"),
      ("attachment; filename*=iso-8859-1'en'%A3.mkv", "£.mkv"),
      ("inline; FILENAME = \"film%20one.mkv\"", "film one.mkv"),
      ("attachment; filename=", nil),
    ]
    for (header, name) in rows {
      #expect(ContentDisposition.fileName(in: header) == name, "\(header)")
    }
  }
}
