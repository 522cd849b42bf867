import Foundation
import Testing

@testable import SiloDownloads

@Suite("Source references")
struct SourceReferenceTests {
  private func read(_ text: String) throws -> SourceReference {
    try SourceReference(text) { path in
      switch path {
      case "/film.mkv", "a:b.mkv": .file
      case "/hls": .folder(["master.m3u8", "v0.m3u8", "a.ts"])
      case "/one": .folder([".hidden.mkv", "film.mp4", "film.nfo"])
      case "/many": .folder(["a.mkv", "b.mkv"])
      case "/empty": .folder([])
      default: nil
      }
    }
  }

  @Test("URLs, files and folders are told apart")
  func accepted() throws {
    let rows: [(String, String)] = [
      ("http://host/film.mkv?t=1", "http://host/film.mkv?t=1"),
      ("HTTPS://host:8443/a%20b%2Fc.m3u8", "HTTPS://host:8443/a%20b%2Fc.m3u8"),
      ("http://host/Four%20Languages (2024).mkv", "http://host/Four%20Languages%20(2024).mkv"),
      ("http://host/Show%20[1080p] x.mkv", "http://host/Show%20%5B1080p%5D%20x.mkv"),
      ("http://[::1]:8080/[a].mkv", "http://[::1]:8080/%5Ba%5D.mkv"),
      ("http://host/100%/ü{x}?a=b c", "http://host/100%25/%C3%BC%7Bx%7D?a=b%20c"),
      ("/film.mkv", "file:///film.mkv"),
      ("file:///film.mkv", "file:///film.mkv"),
      ("/hls", "file:///hls/master.m3u8"),
      ("/one", "file:///one/film.mp4"),
    ]
    for (text, expected) in rows {
      switch try read(text) {
      case .web(let url), .local(let url): #expect(url.absoluteString == expected)
      }
    }
    guard case .local = try read("a:b.mkv") else {
      Issue.record("a file whose name has a colon is a file")
      return
    }
  }

  @Test("what is not offered is refused by name, without secrets")
  func refused() {
    let rows: [(String, DownloadError.Code)] = [
      ("silo:abc", .auth), ("putio:1", .unavailable), ("ftp://user:pw@host/x", .usage),
      ("magnet:?xt=1", .usage), ("http://", .usage), ("/nothing.mkv", .notFound), ("", .notFound),
      ("/many", .usage), ("/empty", .usage), ("nowhere\u{1B}[2J", .notFound),
    ]
    for (text, code) in rows {
      let error = #expect(throws: DownloadError.self) { _ = try read(text) }
      #expect(error?.code == code, "\(text)")
      #expect(error?.description.contains("\u{1B}") == false)
    }
  }
}
