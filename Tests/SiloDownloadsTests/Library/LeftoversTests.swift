import Foundation
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite struct LeftoversTests {
  @Test func `what is left is told with a command that removes exactly it`() async throws {
    let rows: [(files: [String], used: Set<String>, removes: [String])] = [
      (["f.part", "f.part.journal", "f.part.journal-live"], [], ["f.part"]),
      (["f.part", "f.part.journal"], [".part"], []),
      (["f.source.part", "f.source.part.journal"], [".part"], ["f.source.part"]),
      (["f.parts/journal.sqlite", "f.parts/0.spool"], [], ["f.parts"]),
      (["f.tr.srt.side-part"], [], ["f.tr.srt.side-part"]), (["f.nfo.side-part"], [".part"], []),
      // Without a journal it is not ours.
      (["f.part"], [], []), (["f.part.journal"], [], []), (["f.parts/holiday.jpg"], [], []),
      (
        ["f.source.part", "f.source.part.journal", "f.parts/journal.sqlite"], [],
        ["f.source.part", "f.parts"]
      ),
    ]
    for row in rows {
      let folder = try TemporaryFolder()
      let name = "o'f"
      let others = ["o'f", "o'f.part.notes", "of.part"]
      for file in row.files + others {
        try folder.write(file.hasPrefix("f.") ? "o'" + file : file, "x")
      }
      let sentence = Leftovers.sentence(of: folder.path(name), except: row.used)
      #expect((sentence == nil) == row.removes.isEmpty, "\(row.files)")
      guard let sentence else { continue }
      for file in row.removes { #expect(sentence.contains(folder.path("o'" + file))) }
      let command = try #require(sentence.components(separatedBy: "to remove it: ").last)
      let result = try await run("sh", ["-c", command])
      #expect(result.status == 0, "\(result.stderr)")
      #expect(try folder.names().sorted() == others.sorted(), "\(row.files)")
    }
  }

  @Test func `what another process works on is not left`() throws {
    let folder = try TemporaryFolder()
    for file in ["f.part", "f.part.journal"] { try folder.write(file, "x") }
    let lock = try OutputLock.take(folder.path("f.part.lock"), of: "f", by: "source")
    #expect(Leftovers.sentence(of: folder.path("f")) == nil)
    lock.release()
    #expect(Leftovers.sentence(of: folder.path("f")) != nil)
  }

  @Test func `the newest outputs of a source are remembered`() async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(home: folder.url.appending(path: "home"))
    try await store.write { connection in
      for number in 0..<UnfinishedFileTable.most + 3 {
        try UnfinishedFileTable.store("/o/\(number)", of: "\(number % 2)", by: nil, in: connection)
      }
      try UnfinishedFileTable.store("/o/7", of: "0", by: nil, in: connection)
      try UnfinishedFileTable.forget("/o/9", in: connection)
    }
    let read = try await store.read { connection in
      try ["0", "1"].map { try UnfinishedFileTable.paths(of: $0, in: connection) }
    }
    let found = try #require(read)
    #expect(found[0].first == "/o/7" && found[1].first == "/o/65")
    #expect(!found[1].contains("/o/7") && !found[1].contains("/o/9"))
    #expect(found[0].count + found[1].count == UnfinishedFileTable.most - 1)
  }
}
