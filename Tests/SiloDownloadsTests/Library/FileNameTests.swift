import Foundation
import SiloSystem
import SiloTestSupport
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
    ("e\u{301}te\u{301}.mkv", "été.mkv"), ("\u{301}x.mkv", "x.mkv"), ("\u{301}", nil),
    ("right\u{202E}gnp.mkv", "rightgnp.mkv"),
    ("CON", "_CON"), ("nul .x.mkv", "_nul .x.mkv"), ("COM\u{B9}.mkv", "_COM\u{B9}.mkv"),
    ("LPT3", "_LPT3"), ("COM10.mkv", "COM10.mkv"), ("conin$.mkv", "_conin$.mkv"),
    // What is dropped stands between a letter and its accent: one letter remains.
    ("e\u{200B}\u{301}.mkv", "\u{E9}.mkv"), ("=<\u{338}.mkv", "\u{2260}.mkv"),
    ("\u{200D}\u{200C}.", nil), ("\u{200D}a\u{200D}", "a"), ("\u{FFFE}\u{10FFFF}", nil),
    ("\u{2066}a\u{2069}\u{200F}b", "ab"), ("a\u{85}b\u{2028}c", "abc"),
    ("", nil), ("...", nil), ("\u{0}\u{7}", nil), ("???", nil), (" ", nil),
  ]

  @Test("a name is made safe for every file system")
  func safe() {
    for (text, expected) in Self.rows {
      #expect(FileName(text)?.description == expected, "\(text.debugDescription)")
    }
  }

  @Test("a plain name, which is not looked at closely, is what a close look would make of it")
  func plain() {
    let parts = ["Film", "(2024)", "CON", "S01E02", "x", ".", "-", " ", "_", "mkv", ""]
    for a in parts {
      for b in parts {
        for c in parts {
          for d in parts {
            let text = a + b + c + d
            // What is invisible is dropped, and takes the name the long way.
            #expect(FileName(text) == FileName("\u{200B}" + text), "\(text)")
          }
        }
      }
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

  @Test("a name fits into folders that take less, and one endless grapheme is cut too")
  func narrow() throws {
    let marks = "a" + String(repeating: "\u{301}", count: 500)
    for limit in [143, 100, 60, 44] {
      let byteLimit = FileName.byteLimit(inFolderOf: limit)
      for text in [String(repeating: "字", count: 400) + ".mkv", marks + ".mkv", marks] {
        let name = try #require(FileName(text, byteLimit: byteLimit))
        #expect(name.description.utf8.count <= byteLimit)
        #expect(name.description.utf8.count > byteLimit - 4)
        #expect(name.suffix == (text.hasSuffix("mkv") ? "mkv" : ""))
        #expect(name.fitting(byteLimit) == name)
      }
    }
  }

  @Test(
    "whatever the text, the name and its side files can be made, once, in the folder they are meant for"
  )
  func anything() throws {
    let folder = try TemporaryFolder()
    let limit = try #require(FileSystem.nameByteLimit(of: folder.path))
    let interesting: [Unicode.Scalar] = [
      "/", "\\", ".", " ", "\0", "\n", "\u{202E}", "\u{200D}", "\u{301}", "\u{FEFF}", "é", "字", "👩",
      "%", "-", "~", "$", "C", "O", "N", "1", "\u{FFFF}", "\u{E000}", "ﷺ",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "a"
        text.append(
          Bool.random(using: &random) ? any : interesting.randomElement(using: &random) ?? "a")
      }
      guard let name = FileName(String(text), byteLimit: FileName.byteLimit(inFolderOf: limit))
      else { continue }
      let trace = String(text).debugDescription
      #expect(FileName(name.description) == name, "\(trace)")
      #expect(
        name.description.precomposedStringWithCanonicalMapping.utf8.elementsEqual(
          name.description.utf8), "\(trace)")
      #expect(!name.description.hasPrefix(".") && !name.description.contains("/"), "\(trace)")
      for suffix in ["", ".part.lock", ".source.part.journal-journal", ".parts"] {
        let path = folder.path(name.description + suffix)
        // Refused when it is there already, made in another folder or with another name.
        try OwnedDescriptor.open(path, .createNew).close()
        #expect(unlink(path) == 0, "\(trace)")
      }
    }
    #expect(try folder.names() == [])
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
      // Of a path only the last part is a name.
      ("attachment; filename=\"../../etc/film.mkv\"", "film.mkv"),
      ("attachment; filename=\"C:\\\\films\\\\a.mkv\"", "a.mkv"),
      ("attachment; filename*=UTF-8''..%2F..%2Fa.mkv", "a.mkv"),
      ("attachment; filename=\"/\"", nil),
    ]
    for (header, name) in rows {
      #expect(ContentDisposition.fileName(in: header) == name, "\(header)")
    }
  }
}
