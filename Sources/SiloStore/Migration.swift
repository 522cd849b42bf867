/// One named step of a database's history, run once and never changed afterwards.
package struct Migration: Hashable, Sendable {
  /// The name, unique in its list.
  package let name: String
  /// The statements.
  package let sql: String

  /// The step `name` that runs `sql`.
  package init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }
}

extension Connection {
  /// Brings the database to the end of `migrations`, all missing steps in one transaction.
  ///
  /// The steps that ran are kept by name. A database with more steps than the list was written by a newer program and
  /// throws `newerProgram`; one with other steps throws `foreign`. Neither is touched.
  package func migrate(_ migrations: [Migration]) throws {
    // Looking first keeps an up-to-date database free of write locks.
    if try pending(migrations).isEmpty { return }
    try transaction { connection in
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS migration (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
        ) STRICT
        """)
      for migration in try connection.pending(migrations) {
        try connection.execute(migration.sql)
        try connection.run(
          "INSERT INTO migration (name) VALUES (?)", [.text(migration.name)])
      }
    }
  }

  /// The steps of `migrations` that have not run yet.
  private func pending(_ migrations: [Migration]) throws -> ArraySlice<Migration> {
    let found = try rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'")
    guard !found.isEmpty else { return migrations[...] }
    let past = try rows("SELECT name FROM migration ORDER BY position").map { row in
      if case .text(let name)? = row.first { name } else { "" }
    }
    for (ran, known) in zip(past, migrations) where ran != known.name {
      throw StoreError(
        .foreign, message: "the database has the step '\(ran)' where '\(known.name)' belongs")
    }
    if past.count > migrations.count {
      throw StoreError(
        .newerProgram,
        message: "the database was written by a newer version of this program "
          + "(step '\(past[migrations.count])'); update, or move the file away")
    }
    return migrations[past.count...]
  }
}
