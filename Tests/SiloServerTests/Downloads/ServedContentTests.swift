import SiloContract
import Testing

@testable import SiloServer

@Suite struct ServedContentTests {
  @Test(
    arguments: [
      (nil, 1000, .whole), ("bytes=10-19", 1000, .parts([10..<20])),
      ("bytes=-5", 1000, .parts([995..<1000])), ("bytes=100-", 1000, .parts([100..<1000])),
      ("bytes=0-0", 1000, .parts([0..<1])), ("bytes=990-5000", 1000, .parts([990..<1000])),
      ("bytes=-5000", 1000, .parts([0..<1000])),
      ("bytes=1000-", 1000, .unsatisfiable(isReadable: true)),
      ("bytes=1000-1005", 1000, .unsatisfiable(isReadable: true)),
      ("bytes=-0", 1000, .unsatisfiable(isReadable: true)),
      ("bytes=0-1,5-6", 1000, .parts([0..<2, 5..<7])),
      ("bytes= 3-4 , 8- 9", 1000, .parts([3..<5, 8..<10])),
      ("bytes=0-1,2000-", 1000, .parts([0..<2])), ("bytes=0-599,0-599", 1000, .whole),
      ("bytes=", 1000, .whole), ("bytes=,", 1000, .whole),
      ("bytes=20-10", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=a-b", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=-", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=--5", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=5", 1000, .unsatisfiable(isReadable: false)),
      ("items=0-1", 1000, .unsatisfiable(isReadable: false)),
      ("Bytes=0-1", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=99999999999999999999-", 1000, .unsatisfiable(isReadable: false)),
      ("bytes=0-1", 0, .whole), ("bytes=-5", 0, .whole), ("bytes=x", 0, .whole),
      ("bytes=0-9223372036854775807", 10, .parts([0..<10])),
      ("bytes=0-,0-9223372036854775807", 10, .whole),
    ] as [(String?, Int64, RangeList)])
  func `Ranges are read as Go reads them`(_ field: String?, _ count: Int64, _ ranges: RangeList) {
    #expect(RangeList(field, byteCount: count) == ranges)
  }

  @Test func `More ranges than anybody needs are everything`() {
    let field = "bytes=" + (0..<300).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
    #expect(RangeList(field, byteCount: 1000) == .whole)
  }

  @Test(arguments: [
    ("film.mkv", "attachment; filename=film.mkv"),
    ("a film (2019).mkv", "attachment; filename=\"a film (2019).mkv\""),
    ("a:b\"c.mkv", "attachment; filename=a_b_c.mkv"),
    ("a/b\\c<d>e|f?g*h.mkv", "attachment; filename=a_b_c_d_e_f_g_h.mkv"),
    ("Gölge.mkv", "attachment; filename*=utf-8''G%C3%B6lge.mkv"),
    ("ü 1%.mkv", "attachment; filename*=utf-8''%C3%BC%201%25.mkv"),
    ("a\r\nb.mkv", "attachment; filename=a_b.mkv"), ("a;b.mkv", "attachment; filename=\"a;b.mkv\""),
  ])
  func `Names are made safe, and quoted where they must be`(_ name: String, _ field: String) {
    // A line break of two characters is one to Swift and two to HTTP.
    let expected = name.contains("\r\n") ? "attachment; filename=a__b.mkv" : field
    #expect(FileDisposition.attachment(name) == expected)
  }

  @Test func `The list by hand is the list of the contract, byte for byte`() throws {
    var film = DownloadRow(
      id: DownloadID(checked: "1"), contentID: "a\"\\/ü\n\u{7F}\u{2028}",
      mediaFileID: MediaFileID(7),
      fileSize: 9, createdAt: Timestamp(seconds: 1_800_000_000))
    film.deviceID = "dev ü"
    var episode = film
    (episode.contentID, episode.episodeID) = ("s", "e")
    episode.batchID = BatchID("12")
    (episode.status, episode.revision) = (.completed, 3)
    episode.completedAt = Timestamp(seconds: 1_800_000_001)
    (episode.bytesSent, episode.targetKilobitsPerSecond) = (9, 2000)
    for rows in [[], [film], [film, episode]] {
      let text = DownloadListText.json(rows)
      #expect(try ContractJSON.decode(DownloadList.self, from: text).downloads == rows)
      guard rows.first?.contentID != film.contentID else { continue }
      #expect(try text == ContractJSON.encode(DownloadList(rows)))
    }
    film.contentID = "plain/one"
    film.deviceID = "d"
    #expect(
      try DownloadListText.json([film, episode])
        == ContractJSON.encode(DownloadList([film, episode])))
  }
}
