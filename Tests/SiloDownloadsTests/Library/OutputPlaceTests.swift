import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Output place")
struct OutputPlaceTests {
  struct Row {
    var output: String?
    var names: OutputPlace.Names
    var suffix: String?
    var expected: String
  }

  static let rows: [Row] = [
    Row(
      output: nil, names: .init(lastComponent: "film.mkv"), suffix: "mkv",
      expected: "/here/film.mkv"),
    Row(
      output: "out.mp4", names: .init(lastComponent: "film.mkv"), suffix: "mkv",
      expected: "/here/out.mp4"),
    Row(
      output: "/x/out", names: .init(lastComponent: "film.mkv"), suffix: "mkv", expected: "/x/out"),
    Row(
      output: "new/", names: .init(lastComponent: "film.mkv"), suffix: "mp4",
      expected: "/here/new/film.mp4"),
    Row(
      output: "folder", names: .init(lastComponent: "film.mkv"), suffix: "mkv",
      expected: "/here/folder/film.mkv"),
    Row(
      output: nil, names: .init(disposition: "../../evil.mkv", lastComponent: "get"), suffix: "mkv",
      expected: "/here/-..-evil.mkv"),
    Row(
      output: nil, names: .init(lastComponent: "master.m3u8", parentComponent: "My Film.mkv"),
      suffix: "mp4", expected: "/here/My Film.mp4"),
    Row(
      output: nil, names: .init(lastComponent: "film.m3u8"), suffix: "mkv",
      expected: "/here/film.mkv"),
    Row(
      output: nil, names: .init(lastComponent: "index.mkv", parentComponent: "x"), suffix: "mkv",
      expected: "/here/index.mkv"),
    Row(
      output: nil, names: .init(lastComponent: "", title: "A: Title"), suffix: "mkv",
      expected: "/here/A- Title.mkv"),
    Row(output: nil, names: .init(), suffix: "mkv", expected: "/here/download.mkv"),
    Row(
      output: nil, names: .init(lastComponent: "Vol. 2"), suffix: "mkv",
      expected: "/here/Vol. 2.mkv"),
  ]

  @Test("the name comes from --output, Content-Disposition, the URL or the title")
  func places() {
    for row in Self.rows {
      let place = OutputPlace(
        output: row.output, isFolder: { $0 == "folder" }, names: row.names, suffix: row.suffix,
        askedContainer: nil, current: URL(filePath: "/here", directoryHint: .isDirectory))
      #expect(place.url.path == row.expected)
    }
  }

  @Test("every suffix of the container that is asked for is its own")
  func suffixes() {
    let rows: [(output: String, asked: OutputContainer, warns: Bool)] = [
      ("a.m4a", .mp4, false), ("a.M4V", .mp4, false), ("a.mov", .mp4, false),
      ("a.mka", .mkv, false), ("a.mks", .mkv, false), ("a", .mkv, false), ("a.m4a", .mkv, true),
      ("a.mka", .mp4, true), ("a.avi", .mp4, true),
    ]
    for row in rows {
      let place = OutputPlace(
        output: row.output, isFolder: { _ in false }, names: .init(), suffix: nil,
        askedContainer: row.asked, current: URL(filePath: "/here", directoryHint: .isDirectory))
      #expect((place.warning != nil) == row.warns, "\(row)")
    }
  }

  @Test("--container wins over the suffix of --output, with a warning")
  func container() {
    let place = OutputPlace(
      output: "a.mkv", isFolder: { _ in false }, names: .init(), suffix: "mp4",
      askedContainer: .mp4,
      current: URL(filePath: "/here", directoryHint: .isDirectory))
    #expect(place.url.path == "/here/a.mkv")
    #expect(place.warning?.contains("mp4") == true)
  }

  @Test("a name is cut to what its folder takes, and a user's that is too long is refused")
  func narrow() throws {
    let here = URL(filePath: "/here", directoryHint: .isDirectory)
    let long = String(repeating: "x", count: 300)
    let place = OutputPlace(
      output: "new/", isFolder: { _ in false }, names: .init(lastComponent: long + ".mkv"),
      suffix: "mp4", askedContainer: nil, current: here,
      nameByteLimit: { $0.path.hasPrefix("/here/new/") ? 143 : 255 })
    #expect(place.url.lastPathComponent.utf8.count == 143 - FileName.sideFileByteCount)
    #expect(place.url.lastPathComponent.hasSuffix("x.mp4"))
    try place.requireRoom(nameByteLimit: 143)
    let error = #expect(throws: DownloadError.self) { try place.requireRoom(nameByteLimit: 142) }
    #expect(error?.code == .config && error?.message.contains("114") == true, "\(error as Any)")
  }

  @Test("nothing takes the place of what is no regular file, of a dangling link, or of the source")
  func taken() throws {
    let folder = try TemporaryFolder()
    let source = URL(filePath: try folder.write("film.mkv", "film"))
    try folder.write("other.mkv", "other")
    for (name, target) in [
      ("lost", "nowhere"), ("same", "film.mkv"), ("link", "other.mkv"), ("null", "/dev/null"),
      ("here", "."),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: target)
    }
    mkfifo(folder.path("pipe"), 0o600)
    let rows: [(output: String, code: DownloadError.Code?)] = [
      ("new.mkv", nil), ("other.mkv", nil), ("link", nil), ("film.mkv", .usage), ("same", .usage),
      ("here/film.mkv", .usage), ("lost", .config), ("null", .config), ("pipe", .config),
    ]
    for row in rows {
      let place = OutputPlace(
        output: row.output, isFolder: { _ in false }, names: .init(), suffix: nil,
        askedContainer: nil, current: URL(filePath: folder.path, directoryHint: .isDirectory))
      if let code = row.code {
        let error = #expect(throws: DownloadError.self) {
          try place.requireReplaceable(source: source)
        }
        #expect(error?.code == code, "\(row)")
      } else {
        try place.requireReplaceable(source: source)
      }
    }
  }
}
