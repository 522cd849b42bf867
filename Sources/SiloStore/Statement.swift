import CSQLite
import Glibc
import SiloSystem

/// One prepared statement: bind, step, reset, and again.
///
/// It stays usable as long as it lives, even when its `Connection` is gone first: SQLite keeps the connection open
/// until the last statement is finalised (sqlite3_close_v2).
package struct Statement: ~Copyable {
  private let raw: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String

  private init(adopting raw: OpaquePointer, of connection: OpaquePointer, sql: String) {
    self.raw = raw
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(raw) }

  /// Compiles `sql`, which has to be exactly one statement.
  static func prepare(
    _ sql: String, on connection: OpaquePointer
  ) throws(StoreError) -> Statement {
    var raw: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
    guard code == SQLITE_OK else { throw StoreError(of: connection, code, sql: sql) }
    guard let raw else { throw StoreError(.misuse, message: "an empty statement", sql: sql) }
    return Statement(adopting: raw, of: connection, sql: sql)
  }

  /// Binds `values` to the parameters from the first on; parameters beyond them become NULL.
  package func bind(_ values: [StoreValue]) throws(StoreError) {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    for (offset, value) in values.enumerated() { try bind(value, at: offset + 1) }
  }

  /// Binds `value` to the parameter `index`, counted from 1.
  package func bind(_ value: StoreValue, at index: Int) throws(StoreError) {
    let position = Int32(truncatingIfNeeded: index)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(raw, position)
    case .integer(let value): code = sqlite3_bind_int64(raw, position, value)
    case .real(let value): code = sqlite3_bind_double(raw, position, value)
    case .text(let value):
      let length = Int32(clamping: value.utf8.count)
      code = value.withCString { silo_bind_text(raw, position, $0, length) }
    case .blob(let value):
      code = value.withUnsafeBytes {
        silo_bind_blob(raw, position, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
    guard code == SQLITE_OK else { throw StoreError(of: connection, code, sql: sql) }
  }

  /// Goes to the next row; false when there is none.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw StoreError(of: connection, code, sql: sql)
    }
  }

  /// Binds `values`, runs to the end and resets: for statements whose rows nobody wants.
  package func run(_ values: [StoreValue] = []) throws(StoreError) {
    try bind(values)
    defer { reset() }
    while try step() {}
  }

  /// Ends the running pass; the bound values stay.
  package func reset() { sqlite3_reset(raw) }

  /// How many columns a row has.
  package var columnCount: Int { Int(sqlite3_column_count(raw)) }

  /// The column `index` of the current row, counted from 0, in the class that it is stored in.
  package subscript(index: Int) -> StoreValue {
    let position = Int32(truncatingIfNeeded: index)
    return switch sqlite3_column_type(raw, position) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(raw, position))
    case SQLITE_FLOAT: .real(sqlite3_column_double(raw, position))
    case SQLITE_TEXT: .text(text(position))
    case SQLITE_BLOB: .blob(blob(position))
    default: .null
    }
  }

  /// The column as an integer; `nil` when it is NULL or of another class.
  package func integer(_ index: Int) -> Int64? {
    if case .integer(let value) = self[index] { value } else { nil }
  }

  /// The column as a real number (an integer is converted); `nil` when it is NULL or of another class.
  package func real(_ index: Int) -> Double? {
    switch self[index] {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The column as text; `nil` when it is NULL or of another class.
  package func text(_ index: Int) -> String? {
    if case .text(let value) = self[index] { value } else { nil }
  }

  /// The column as bytes; `nil` when it is NULL or of another class.
  package func blob(_ index: Int) -> [UInt8]? {
    if case .blob(let value) = self[index] { value } else { nil }
  }

  /// All columns of the current row.
  package var row: [StoreValue] { (0..<columnCount).map { self[$0] } }

  private func text(_ position: Int32) -> String {
    guard let start = sqlite3_column_text(raw, position) else { return "" }
    let count = Int(sqlite3_column_bytes(raw, position))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func blob(_ position: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(raw, position) else { return [] }
    return [UInt8](
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, position))))
  }
}

extension StoreError {
  /// The error that `connection` holds after a call answered `result`.
  init(of connection: OpaquePointer?, _ result: Int32, sql: String?, path: String? = nil) {
    // A misuse leaves no message in the connection, so the call's own code is what counts.
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? result
    let matches = extended & 0xFF == result & 0xFF
    let text = matches ? connection.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(result)
    let known = connection.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
    let path = path ?? known.flatMap { $0.isEmpty ? nil : $0 }
    self.init(
      Self.isOutOfSpace(connection, result, path) ? .full : Code(rawValue: result & 0xFF),
      extended: matches ? extended : result,
      message: Self.shortage(connection, result) ?? text.map { String(cString: $0) }
        ?? "SQLite failed", sql: sql, path: path)
  }

  /// That too many files are open, where SQLite only says that one cannot be.
  private static func shortage(_ connection: OpaquePointer?, _ result: Int32) -> String? {
    guard result & 0xFF == SQLITE_CANTOPEN, let connection,
      [EMFILE, ENFILE].contains(sqlite3_system_errno(connection))
    else { return nil }
    return SystemCallError.reason(EMFILE)
  }

  /// Whether the disk or the user's share of it is full: SQLite says so of some writes only.
  ///
  /// The number that it keeps is often that of a call which came after, as when it tried to open for reading what it could not
  /// make; so the disk is asked. A log whose index cannot be made for writing is opened to be read only, and no write to it is
  /// tried then.
  private static func isOutOfSpace(
    _ connection: OpaquePointer?, _ result: Int32, _ path: String?
  ) -> Bool {
    guard [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY].contains(result & 0xFF) else {
      return false
    }
    if let connection, [ENOSPC, EDQUOT].contains(sqlite3_system_errno(connection)) { return true }
    return path.flatMap(FileSystem.obstacle(toWritingBeside:))?.isOutOfSpace ?? false
  }
}
