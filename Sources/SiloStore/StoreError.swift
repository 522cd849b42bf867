/// What SQLite, or a migration, answered instead of doing what was asked.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A primary result code of SQLite, or one of the two that are ours (negative).
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The number, as in sqlite3.h.
    package let rawValue: Int32
    /// The code with the number `rawValue`.
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// A generic error: most often wrong SQL.
    package static let error = Code(rawValue: 1)
    /// Another connection holds the lock (SQLITE_BUSY).
    package static let busy = Code(rawValue: 5)
    /// The file cannot be written (SQLITE_READONLY).
    package static let readOnly = Code(rawValue: 8)
    /// Reading or writing failed (SQLITE_IOERR).
    package static let inputOutput = Code(rawValue: 10)
    /// The file is damaged (SQLITE_CORRUPT).
    package static let corrupt = Code(rawValue: 11)
    /// The disk is full (SQLITE_FULL).
    package static let full = Code(rawValue: 13)
    /// The file cannot be opened (SQLITE_CANTOPEN).
    package static let cannotOpen = Code(rawValue: 14)
    /// A constraint was violated (SQLITE_CONSTRAINT).
    package static let constraint = Code(rawValue: 19)
    /// The API was used wrongly, as by too many values (SQLITE_MISUSE, SQLITE_RANGE).
    package static let misuse = Code(rawValue: 21)
    /// The file is no database (SQLITE_NOTADB).
    package static let notADatabase = Code(rawValue: 26)
    /// The database was written by a newer version of this program.
    package static let newerProgram = Code(rawValue: -1)
    /// The database has steps in its history that this program never had: it is somebody else's.
    package static let foreign = Code(rawValue: -2)
  }

  /// The primary result code.
  package let code: Code
  /// The extended result code; the primary one when there is none.
  package let extended: Int32
  /// What SQLite said, or what is wrong with the history.
  package let message: String
  /// The statement that failed; `nil` when opening failed.
  package let sql: String?
  /// The path of the database; `nil` when there is none, or it is not known.
  package let path: String?

  /// An error of the given parts.
  package init(
    _ code: Code, extended: Int32? = nil, message: String, sql: String? = nil, path: String? = nil
  ) {
    self.code = code
    self.extended = extended ?? code.rawValue
    self.message = message
    self.sql = sql
    self.path = path
  }

  /// Whether the file itself is unusable, so that only starting over helps.
  package var isDamage: Bool { code == .corrupt || code == .notADatabase }

  /// The path and the message, with the code's number and the statement.
  package var description: String {
    let file = path.map { "\($0): " } ?? ""
    let place = sql.map { " in `\($0)`" } ?? ""
    return "\(file)\(message) (SQLite \(extended))\(place)"
  }
}
