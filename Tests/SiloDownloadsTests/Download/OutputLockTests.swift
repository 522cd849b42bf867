import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite struct OutputLockTests {
  @Test func `who else makes a file is told: another source of this process, or another process`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("film.mkv.part.lock")
    let rows: [(source: String, code: DownloadError.Code, says: String)] = [
      ("http://b/film.mkv", .config, "http://b/film.mkv and http://a/film.mkv"),
      ("http://a/film.mkv", .locked, "another download is making this file"),
    ]
    let lock = try OutputLock.take(path, of: "film.mkv", by: "http://a/film.mkv")
    for row in rows {
      let error = #expect(throws: DownloadError.self) {
        try OutputLock.take(path, of: "film.mkv", by: row.source).release()
      }
      #expect(error?.code == row.code)
      #expect(error?.message.contains(row.says) == true, "\(error?.message ?? "")")
    }
    lock.release()
    try OutputLock.take(path, of: "film.mkv", by: "http://b/film.mkv").release()
    #expect(try folder.names().isEmpty)
  }
}
