import Foundation
import SiloStore
import SiloTestSupport

/// Reads, for the judges, what a journal vouches for.
enum JournalReader {
  /// The positions of the journalled parts in the folder of an unfinished download, by the rendition's name (`r0`, `r1`, …);
  /// empty without a journal.
  static func parts(of folder: String) throws -> [String: Set<Int>] {
    guard FileManager.default.fileExists(atPath: folder + "/journal.sqlite") else { return [:] }
    // A killed writer leaves a log that only a writer may read back: a copy is opened, so that nothing is changed.
    let copy = try TemporaryFolder()
    defer { withExtendedLifetime(copy) {} }
    try FileManager.default.copyItem(atPath: folder, toPath: copy.path("parts"))
    let connection = try Connection.open(copy.path("parts/journal.sqlite"), mode: .readWrite)
    let hasTables = try connection.rows("SELECT 1 FROM sqlite_schema WHERE name = 'part'")
    guard !hasTables.isEmpty else { return [:] }
    var parts: [String: Set<Int>] = [:]
    for row in try connection.rows(
      "SELECT name, position FROM part JOIN rendition ON rendition.id = part.rendition")
    {
      guard case .text(let name) = row[0], case .integer(let position) = row[1] else { continue }
      parts[name, default: []].insert(Int(position))
    }
    return parts
  }
}
