import Foundation
import Testing

@testable import SiloDownloads

@Suite struct OutputClaimsTests {
  @Test func `two sources that were asked for together have two outputs`() throws {
    let claims = OutputClaims()
    let film = URL(filePath: "/out/film.mkv")
    try claims.claim(film, by: "http://a/film.mkv")
    try claims.claim(film, by: "http://a/film.mkv")
    try claims.claim(URL(filePath: "/out/other.mkv"), by: "http://b/film.mkv")
    let error = #expect(throws: DownloadError.self) {
      try claims.claim(URL(filePath: "/out/sub/../film.mkv"), by: "http://b/film.mkv")
    }
    #expect(error?.code == .config)
    #expect(error?.message.contains("http://b/film.mkv and http://a/film.mkv") == true)
    try OutputClaims().claim(film, by: "http://b/film.mkv")
  }
}
