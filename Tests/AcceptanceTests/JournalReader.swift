import SiloStore

/// Reads, for the judges, what a journal vouches for.
enum JournalReader {
  /// The positions of the journalled parts in the folder of an unfinished download, by the rendition's name (`r0`, `r1`, …);
  /// empty without a journal.
  static func parts(of folder: String) -> [String: Set<Int>] {
    guard let connection = try? Connection.open("\(folder)/journal.sqlite", mode: .readOnly),
      let rows = try? connection.rows(
        "SELECT name, position FROM part JOIN rendition ON rendition.id = part.rendition")
    else { return [:] }
    var parts: [String: Set<Int>] = [:]
    for row in rows {
      guard case .text(let name) = row[0], case .integer(let position) = row[1] else { continue }
      parts[name, default: []].insert(Int(position))
    }
    return parts
  }
}
