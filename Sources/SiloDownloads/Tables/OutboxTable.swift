import SiloStore

/// The rows that servers are still to be told to forget.
enum OutboxTable {
  /// One of them.
  struct Entry: Hashable, Sendable {
    var number: Int64
    /// The installation that the row belongs to.
    var device: String
    /// The row's id.
    var download: String
  }

  /// What is for the server and account `owner`, the oldest first.
  static func entries(
    of owner: String, in connection: borrowing Connection
  ) throws -> [Entry] {
    let statement = try connection.prepare(
      "SELECT id, device, download FROM outbox WHERE owner = ? ORDER BY id")
    try statement.bind([.text(owner)])
    var entries: [Entry] = []
    while try statement.step() {
      guard let number = statement.integer(0), let device = statement.text(1),
        let download = statement.text(2)
      else { continue }
      entries.append(Entry(number: number, device: device, download: download))
    }
    return entries
  }

  static func remove(_ entry: Entry, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM outbox WHERE id = ?", [.integer(entry.number)])
  }
}
