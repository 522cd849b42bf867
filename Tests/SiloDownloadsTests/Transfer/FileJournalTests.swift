import Foundation
import SiloStore
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

/// What a partial file's two journals say after the end of a process, and after that of the machine.
@Suite struct FileJournalTests {
  private let folder: TemporaryFolder
  private let path: String
  private let version = HTTPValidators(
    entityTag: "\"a\"", lastModified: nil, totalByteCount: 1000)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("film.part")
  }

  private func open(_ source: String = "http://media.test/film") throws -> PartFile {
    try PartFile(path, of: try #require(URL(string: source)))
  }

  /// Writes as a transfer that is killed does: these pieces marked, those only noted.
  private func leave(
    marked: [Range<Int64>], noted: [Range<Int64>], _ validators: HTTPValidators
  ) throws {
    let part = try open()
    let generation = try part.startOver(validators)
    for range in marked + noted {
      try part.descriptor.write([UInt8](repeating: 1, count: range.count), at: range.lowerBound)
    }
    try part.mark(ByteRanges(marked), generation: generation)
    for (id, range) in noted.enumerated() {
      let middle = range.lowerBound + Int64(range.count) / 2
      part.note(range.lowerBound..<middle, of: id)
      part.note(middle..<range.upperBound, of: id)
    }
  }

  @Test func `after a kill every byte that was written is known`() throws {
    try leave(marked: [0..<100, 500..<510], noted: [100..<120, 510..<600, 900..<1000], version)
    for _ in 0..<2 {
      let restored = try open().restore()
      #expect(restored.pieces.ranges == [0..<120, 500..<600, 900..<1000])
      #expect(restored.validators == version)
    }
  }

  @Test func `a date that was too young to tell stays so`() throws {
    var young = HTTPValidators(
      entityTag: nil, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", totalByteCount: 1000)
    for isWeak in [true, false] {
      young.isDateWeak = isWeak
      try leave(marked: [0..<100], noted: [], young)
      #expect(try open().restore().validators == young)
      #expect((young.ifRange == nil) == isWeak)
    }
  }

  @Test func `what was only noted counts for nothing where it may be of another version`() throws {
    let other = HTTPValidators(entityTag: "\"b\"", lastModified: nil, totalByteCount: 1000)
    let bare = HTTPValidators(entityTag: nil, lastModified: nil, totalByteCount: 1000)
    let live = path + ".journal" + TransferJournal.liveSuffix
    let rows: [(String, HTTPValidators, (URL) throws -> Void)] = [
      ("no validators", bare, { _ in }),
      (
        "another stamp, as after a power loss", version,
        { url in
          var bytes = try Data(contentsOf: url)
          bytes[5] ^= 1
          try bytes.write(to: url)
        }
      ),
      ("gone", version, { try FileManager.default.removeItem(at: $0) }),
      ("cut in its head", version, { try Data(count: 7).write(to: $0) }),
      ("noise", other, { try Data(repeating: 0xA5, count: 999).write(to: $0) }),
    ]
    for (name, validators, change) in rows {
      try leave(marked: [0..<100], noted: [100..<120], validators)
      try change(URL(filePath: live))
      #expect(try open().restore().pieces.ranges == [0..<100], "\(name)")
    }
  }

  @Test func `rows that make no sense are left out`() throws {
    try leave(marked: [0..<100], noted: [100..<120, 990..<1100, 300..<310], version)
    #expect(try open().restore().pieces.ranges == [0..<120, 300..<310])
  }

  @Test func `a partial file of the first version continues`() throws {
    try leave(marked: [], noted: [], version)
    let connection = try Connection.open(path + ".journal", journal: .asStored)
    try connection.execute("INSERT INTO piece (start, \"end\", durable) VALUES (0, 1000, 400)")
    try open().descriptor.write([UInt8](repeating: 1, count: 450), at: 0)
    #expect(try open().restore().pieces.ranges == [0..<400])
  }

  @Test func `a file that is shorter than its journal says, or of another source, starts over`()
    throws
  {
    try leave(marked: [0..<100], noted: [100..<120], version)
    #expect(try open("http://media.test/other").restore().pieces.ranges.isEmpty)
    try leave(marked: [0..<100], noted: [], version)
    try open().descriptor.truncate(to: 90)
    #expect(try open().restore().pieces.ranges.isEmpty)
  }

  @Test func `a new version makes both journals forget`() throws {
    try leave(marked: [0..<100], noted: [100..<120], version)
    let part = try open()
    let other = HTTPValidators(entityTag: "\"b\"", lastModified: nil, totalByteCount: 2000)
    _ = try part.startOver(other)
    let restored = try part.restore()
    #expect(restored.pieces.ranges.isEmpty)
    #expect(try part.descriptor.byteCount() == 0)
  }
}
