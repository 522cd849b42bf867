import Foundation
import SiloMedia
import Testing

@Suite("Addresses in playlists")
struct PlaylistAddressTests {
  /// The URL that a segment line means in a playlist read from `base`; `nil` when it is refused.
  private func resolved(_ reference: String, _ base: String) throws -> String? {
    let text = "#EXTM3U\n#EXTINF:1,\n\(reference)\n#EXT-X-ENDLIST"
    do {
      let playlist = try Playlist.parse(Array(text.utf8), url: try #require(URL(string: base)))
      guard case .media(let media) = playlist else { return nil }
      return media.segments[0].url.absoluteString
    } catch let error as MediaError {
      #expect(error.message.contains("line 3: "), "\(error)")
      return nil
    }
  }

  @Test("References are resolved as RFC 3986 says, percent codes byte-exact")
  func remote() throws {
    let base = "https://h.example:8443/a/b/c/list.m3u8?q=1"
    let host = "https://h.example:8443"
    let rows: [(String, String?)] = [
      ("s.ts", host + "/a/b/c/s.ts"), ("./s.ts", host + "/a/b/c/s.ts"),
      ("../enc.key", host + "/a/b/enc.key"), ("../../../s.ts", host + "/s.ts"),
      ("../../../../s.ts", nil), ("/../s.ts", nil), ("/s.ts", host + "/s.ts"),
      ("x/../../s.ts", host + "/a/b/s.ts"), ("?t=1", host + "/a/b/c/list.m3u8?t=1"),
      ("s.ts?t=../../../../../x", host + "/a/b/c/s.ts?t=../../../../../x"),
      ("//o.example/s.ts", "https://o.example/s.ts"),
      ("http://o.example/s.ts", "http://o.example/s.ts"),
      ("HTTPS://o.example/%2F/a", "https://o.example/%2F/a"), ("https:///s.ts", nil),
      ("https:s.ts", nil), ("http://o.example/../../s.ts", nil),
      ("a%20b%2Fc%25+d.ts", host + "/a/b/c/a%20b%2Fc%25+d.ts"),
      ("a b|c%zz.ts", host + "/a/b/c/a%20b%7Cc%25zz.ts"), ("é.ts", host + "/a/b/c/%C3%A9.ts"),
      ("seg[0]%20a.ts", host + "/a/b/c/seg%5B0%5D%20a.ts"),
      ("s[1].ts", host + "/a/b/c/s%5B1%5D.ts"),
      ("http://[::1]:80/a[b] c.ts", "http://[::1]:80/a%5Bb%5D%20c.ts"),
      ("s.ts?a[]=%20", host + "/a/b/c/s.ts?a%5B%5D=%20"),
      ("a,b.ts", host + "/a/b/c/a,b.ts"), ("file:///etc/passwd", nil), ("FILE:/etc/passwd", nil),
      ("data:text/plain,x", nil), ("ftp://h/x", nil), ("javascript:x", nil), ("skd://x", nil),
    ]
    for (reference, wanted) in rows {
      #expect(try resolved(reference, base) == wanted, "\(reference)")
    }
  }

  @Test("A local playlist names files below its own folder, and the web, and nothing else")
  func local() throws {
    let base = "file:///films/one%20two/list.m3u8"
    let rows: [(String, String?)] = [
      ("s.ts", "file:///films/one%20two/s.ts"),
      ("sub/s.ts", "file:///films/one%20two/sub/s.ts"),
      ("sub/../s.ts", "file:///films/one%20two/s.ts"),
      ("file:///films/one%20two/s.ts", "file:///films/one%20two/s.ts"),
      ("https://h.example/s.ts", "https://h.example/s.ts"), ("../s.ts", nil),
      ("%2e%2e/s.ts", nil), ("sub%2F..%2F..%2Fs.ts", nil), ("/etc/passwd", nil),
      ("file:///etc/passwd", nil), ("//host/s.ts", nil), ("file://host/films/one%20two/s.ts", nil),
      ("file:///films/one%20two2/s.ts", nil), ("s%00.ts", nil),
    ]
    for (reference, wanted) in rows {
      #expect(try resolved(reference, base) == wanted, "\(reference)")
    }
  }
}
