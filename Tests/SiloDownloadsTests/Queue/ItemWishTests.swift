import Foundation
import SiloMedia
import Testing

@testable import SiloDownloads

@Suite("Wishes")
struct ItemWishTests {
  private static func wish(
    _ source: String, output: String? = nil, keepsAddress: Bool = true, isFolder: Bool = false
  ) -> ItemWish {
    var request = DownloadRequest(source: source)
    request.output = output
    return ItemWish(
      request, keepsAddress: keepsAddress, current: "/here/now",
      isFolder: { $0.hasSuffix("/") || isFolder })
  }

  static let rows: [(source: String, kept: String, name: String, host: String?, needs: Bool)] = [
    ("film.mkv", "/here/now/film.mkv", "/here/now/film.mkv", nil, false),
    ("../film.mkv", "/here/film.mkv", "/here/film.mkv", nil, false),
    ("/a/b.mkv", "/a/b.mkv", "/a/b.mkv", nil, false),
    ("file:///a/b.mkv", "file:///a/b.mkv", "file:///a/b.mkv", nil, false),
    ("silo:42", "silo:42", "silo:42", nil, false),
    ("http://h/a.mkv?id=1", "http://h/a.mkv?id=1", "http://h/a.mkv", "h:80", false),
    (
      "https://H:8443/a.mkv?token=s", "https://H:8443/a.mkv?token=s", "https://H:8443/a.mkv",
      "h:8443", false
    ),
    ("https://joe:secret@h/a.mkv", "https://h/a.mkv", "https://h/a.mkv", "h:443", true),
    (
      "https://joe@h/a b.mkv?id=1", "https://h/a%20b.mkv?id=1", "https://h/a%20b.mkv", "h:443", true
    ),
  ]

  @Test("a source is kept whole but for its credentials", arguments: 0..<rows.count)
  func sources(index: Int) {
    let row = Self.rows[index]
    let wish = Self.wish(row.source)
    #expect(wish.source == row.kept)
    #expect(wish.name == row.name)
    #expect(wish.host == row.host)
    #expect(wish.needs.isEmpty == !row.needs)
  }

  @Test("a token in the address is kept only where the user asked for it to be kept")
  func tokens() {
    let address = "https://h/a.mkv?id=1&token=secret"
    #expect(Self.wish(address).source == address)
    let wish = Self.wish(address, keepsAddress: false)
    #expect(wish.source == "https://h/a.mkv" && wish.lacksAddress)
    #expect(Self.wish("https://h/a.mkv?id=1", keepsAddress: false).needs.isEmpty)
  }

  static let places: [(output: String?, isFolder: Bool, path: String, target: String?)] = [
    (nil, true, "/here/now/", nil), ("x.mkv", false, "/here/now/x.mkv", "/here/now/x.mkv"),
    ("x", true, "/here/now/x/", nil), ("Season/", false, "/here/now/Season/", nil),
    ("/a/../b/", false, "/b/", nil),
  ]

  @Test("an output belongs to the folder where it was said", arguments: 0..<places.count)
  func outputs(index: Int) {
    let row = Self.places[index]
    let wish = Self.wish("a.mkv", output: row.output, isFolder: row.isFolder)
    #expect(wish.output == row.path && wish.target == row.target)
  }

  @Test("the same file for the same place is one item, whatever its token and its tracks")
  func keys() {
    var other = Self.wish("http://h/a.mkv?token=2&id=1")
    other.tracks.requiresAudio = true
    #expect(other.key == Self.wish("http://h/a.mkv?id=1&token=1").key)
    #expect(other.key != Self.wish("http://h/a.mkv?id=2").key)
    #expect(other.key != Self.wish("http://h/a.mkv?id=1", output: "b/").key)
  }

  @Test("everything that was wanted comes back from its row")
  func whole() throws {
    var request = DownloadRequest(source: "http://h/a.mkv")
    request.wishes = TrackWishes()
    request.wishes.audio = try TrackWishes.audioList("tr,original,und,all")
    request.wishes.subtitles = try TrackWishes.subtitleList("tr,en")
    request.output = "/out/a.mkv"
    request.container = .mkv
    request.checksum = ExpectedDigest(text: "md5=" + String(repeating: "a", count: 32))
    request.maximumSize = 5
    (request.overwrites, request.allowsGaps, request.keepsOriginalFile) = (true, true, true)
    let wish = ItemWish(request, headers: ["Authorization"])
    let read = try JSONDecoder().decode(ItemWish.self, from: JSONEncoder().encode(wish))
    #expect(read == wish && read.needs == ["--header 'Authorization: ...'"])
    let again = read.request
    #expect(again.wishes == request.wishes && again.output == request.output)
    #expect(again.container == .mkv && again.checksum == request.checksum)
    #expect(again.maximumSize == 5)
    #expect(again.overwrites && again.allowsGaps && again.keepsOriginalFile)
  }
}
