import SiloStore
import SiloSystem

import struct Foundation.URL

/// What is known of a partial file: the version of the source, and which bytes are durable.
///
/// The bytes are a set of pieces from the start of the format on, so that several connections can share a file.
struct TransferJournal: ~Copyable {
  private static let migrations = [
    Migration(
      "pieces",
      """
      CREATE TABLE source (
        id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL, entity_tag TEXT,
        last_modified TEXT, total INTEGER
      ) STRICT;
      CREATE TABLE piece (
        start INTEGER PRIMARY KEY, "end" INTEGER NOT NULL, durable INTEGER NOT NULL
      ) STRICT;
      """),
    Migration("weak dates", "ALTER TABLE source ADD COLUMN weak_date INTEGER NOT NULL DEFAULT 1"),
  ]

  /// What the name of the file ends in that holds what was written since the last mark.
  static let liveSuffix = "-live"

  private let connection: Connection
  /// What tells this source from others.
  let address: String
  /// How often everything was forgotten: a mark of an earlier version counts no more.
  private(set) var generation = 0

  /// Opens the journal at `path` for the source at `url`; one that is damaged is started anew.
  ///
  /// - Parameter identity: What else than the address tells the source from others.
  static func open(
    _ path: String, of url: URL, identity: String? = nil
  ) throws -> TransferJournal {
    // Tokens are left out; the rest is kept as a digest, for paths have secrets too.
    let plain =
      (url.host() ?? "") + url.path(percentEncoded: true) + ResourceIdentity.query(of: url)
      + (identity.map { "\n" + $0 } ?? "")
    let address = try Digest.hex(of: Array(plain.utf8))
    do {
      return try TransferJournal(path, address)
    } catch let error as StoreError where error.isDamage || error.code == .foreign {
      remove(path)
      return try TransferJournal(path, address)
    }
  }

  /// Removes the journal at `path` and what SQLite keeps beside it.
  static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm", liveSuffix] {
      AtomicFile.remove(path + suffix)
    }
  }

  private init(_ path: String, _ address: String) throws {
    let connection = try Connection.open(path, journal: .delete, synchronous: .full)
    try connection.migrate(Self.migrations)
    self.connection = connection
    self.address = address
  }

  /// What was stored; nothing when it is of another source.
  func stored() throws -> (pieces: ByteRanges, validators: HTTPValidators)? {
    let source = try connection.prepare(
      "SELECT entity_tag, last_modified, total, weak_date FROM source WHERE address = ?")
    try source.bind([.text(address)])
    guard try source.step() else { return nil }
    var validators = HTTPValidators(
      entityTag: source.text(0), lastModified: source.text(1), totalByteCount: source.integer(2))
    validators.isDateWeak = source.integer(3) != 0
    var pieces = ByteRanges()
    for row in try connection.rows("SELECT start, durable FROM piece ORDER BY start") {
      guard case .integer(let start)? = row.first, case .integer(let durable)? = row.last,
        start >= 0, durable > start, durable <= validators.totalByteCount ?? .max
      else { continue }
      pieces.insert(start..<durable)
    }
    return (pieces, validators)
  }

  /// Forgets every byte, and notes the version that is fetched from now on.
  mutating func startOver(_ validators: HTTPValidators) throws {
    generation += 1
    try connection.transaction { [address] connection in
      try connection.execute("DELETE FROM source; DELETE FROM piece")
      try connection.run(
        """
        INSERT INTO source (id, address, entity_tag, last_modified, total, weak_date)
        VALUES (1, ?, ?, ?, ?, ?)
        """,
        [
          .text(address), StoreValue(validators.entityTag), StoreValue(validators.lastModified),
          StoreValue(validators.totalByteCount), .integer(validators.isDateWeak ? 1 : 0),
        ])
    }
  }

  /// Notes that the bytes of `pieces` were synced, unless everything was forgotten meanwhile.
  func mark(_ pieces: ByteRanges, generation: Int) throws {
    guard generation == self.generation else { return }
    try connection.transaction { connection in
      try connection.execute("DELETE FROM piece")
      for piece in pieces.ranges {
        let end = StoreValue.integer(piece.upperBound)
        try connection.run(
          "INSERT INTO piece (start, \"end\", durable) VALUES (?, ?, ?)",
          [.integer(piece.lowerBound), end, end])
      }
    }
  }
}
