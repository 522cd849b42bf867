import SiloStore

/// Reads, for the judges, what a journal vouches for.
enum JournalReader {
  /// What identifies each journalled part in the folder of an unfinished download; empty without one.
  static func identities(of folder: String) -> [String] {
    guard let connection = try? Connection.open("\(folder)/journal.sqlite", mode: .readOnly),
      let rows = try? connection.rows("SELECT identity FROM part")
    else { return [] }
    return rows.compactMap { row in
      if case .text(let identity)? = row.first { identity } else { nil }
    }
  }
}
