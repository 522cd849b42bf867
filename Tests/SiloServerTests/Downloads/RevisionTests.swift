import Foundation
import Glibc
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// A source file that changes under a row, with the real catalog over the real folder.
@Suite(.timeLimit(.minutes(5))) struct RevisionTests {
  private static let film = "{\"content_id\":\"ID\"}"

  @Test func `A source that was replaced is another revision when it is registered again`()
    async throws
  {
    let served = try await SignedInServer { $0.shelf = nil }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    let path = try served.media.write("Dune (2021).mkv", bytes)
    await served.server.rescan()
    let device = try await served.device()
    let page = try await served.send("GET", "/catalog?type=movie").value(CatalogPage.self)
    let id = try #require(page.items.first?.contentID)
    let wish = "{\"content_id\":\"\(id)\"}"
    let first = try await served.register(wish, device)
    #expect(first.revision == 1 && first.fileSize == Int64(bytes.count))
    let file = "/downloads/\(first.id)/file"
    let before = try await served.send("HEAD", file, nil, device).headers
    #expect(try await served.register(wish, device).revision == 1)
    _ = try await served.send(
      "PATCH", "/downloads/\(first.id)", "{\"status\":\"completed\"}", device)
    #expect(try await served.register(wish, device).status == .completed)
    let tag = try await manifest(of: first, device, served).integrity?.metadataTag

    // Longer, put in place of the old one: no scan comes in between.
    let longer = bytes + [0xEC, 0x83, 1, 2, 3]
    try served.media.write("new", longer)
    #expect(rename(served.media.path("new"), path) == 0)
    let changed = try await served.send("HEAD", file, nil, device).headers
    #expect(changed["etag"] != before["etag"] && changed["content-length"] == "\(longer.count)")
    let part = try await served.send(
      "GET", file, nil, device + ["Range: bytes=5-", "If-Range: \(before["etag"] ?? "")"])
    #expect(part.status == 200 && part.body == longer)
    let second = try await served.register(wish, device)
    #expect(second.id == first.id && second.revision == 2 && second.status == .ready)
    #expect(second.fileSize == Int64(longer.count) && second.completedAt == nil)
    let renewed = try await manifest(of: second, device, served)
    #expect(renewed.revision == 2 && renewed.integrity?.metadataTag != tag)
    #expect(renewed.integrity?.expectedByteCount == Int64(longer.count))

    // As long as before, with another time.
    var other = longer
    other[longer.count - 1] = 9
    try served.media.write("Dune (2021).mkv", other)
    #expect(
      utimes(
        path, [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]) == 0
    )
    let dated = try await served.send("HEAD", file, nil, device).headers
    #expect(dated["last-modified"] == "Mon, 12 Jan 1970 13:46:40 GMT")
    let third = try await served.register(wish, device)
    #expect(third.revision == 3 && third.fileSize == Int64(other.count))
    #expect(try await served.register(wish, device).revision == 3)

    // Gone: not what it was any more, and nothing to register.
    #expect(unlink(path) == 0)
    #expect(try await served.send("GET", file, nil, device).outcome == "404 not_found")
    #expect(try await served.send("POST", "/downloads", wish, device).outcome == "404 not_found")
    await served.stop()
  }

  /// A row is of a profile, a device and an item, whichever file of it was asked for (facts, section 5).
  @Test func `Two versions of one film are one row of a device, each a revision of it`()
    async throws
  {
    let served = try await SignedInServer { $0.shelf = nil }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    let longer = bytes + [0xEC, 0x83, 1, 2, 3]
    try served.media.write("Dune (2021)/Dune (2021) - cut.mkv", bytes)
    try served.media.write("Dune (2021)/Dune (2021) - long.mkv", longer)
    await served.server.rescan()
    let device = try await served.device()
    let page = try await served.send("GET", "/catalog?type=movie").value(CatalogPage.self)
    #expect(page.items.count == 1)
    let id = try #require(page.items.first?.contentID)
    let versions = try await served.send("GET", "/catalog/items/\(id)/versions").value(
      [MediaVersion].self)
    #expect(
      Set(versions.compactMap(\.fileName)) == ["Dune (2021) - cut.mkv", "Dune (2021) - long.mkv"])
    var (rows, plain): ([DownloadRow], [DownloadRow]) = ([], [])
    for version in versions {
      let wish = "{\"content_id\":\"\(id)\",\"file_id\":\(version.fileID)}"
      let row = try await served.register(wish, device)
      #expect(row.mediaFileID == version.fileID && row.fileSize == version.fileSize)
      let body = try await served.send("GET", "/downloads/\(row.id)/file", nil, device).body
      #expect(body == (version.fileSize == Int64(bytes.count) ? bytes : longer))
      let manifest = try await manifest(of: row, device, served)
      #expect(manifest.mediaFileID == version.fileID && manifest.revision == row.revision)
      #expect(manifest.integrity?.expectedByteCount == version.fileSize)
      // Once more is the same.
      #expect(try await served.register(wish, device) == row)
      rows.append(row)
      plain.append(try await served.register(wish, []))
    }
    #expect(rows.map(\.revision) == [1, 2] && Set(rows.map(\.id)).count == 1)
    let list = try await served.send("GET", "/downloads", nil, device).value(DownloadList.self)
    #expect(list.downloads == [rows[1]])
    // Rows without a device are of one request each.
    #expect(plain.map(\.revision) == [1, 1] && Set(plain.map(\.id)).count == 2)
    await served.stop()
  }

  private func manifest(
    of row: DownloadRow, _ device: [String], _ served: SignedInServer
  ) async throws -> OfflineManifest {
    try await served.send("GET", "/downloads/\(row.id)/manifest", nil, device).value(
      OfflineManifest.self)
  }
}
