import Foundation
import SiloStore
import Testing

@Suite struct ConnectionTests {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("silo-store-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? StoreError)?.code }
  }

  @Test func `every kind of value comes back as it was bound`() throws {
    let store = try Connection.open(path("values"))
    try store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY) STRICT")
    let values: [StoreValue] = [
      .null, .integer(.min), .integer(.max), .real(0.1), .text(""), .text("Türkçe \u{0} 日本"),
      .blob([]), .blob([0, 255, 7]), StoreValue(true), StoreValue(nil as String?),
    ]
    let insert = try store.prepare("INSERT INTO t (v) VALUES (?)")
    for value in values { try insert.run([value]) }
    let read = try store.rows("SELECT v FROM t ORDER BY id").map { $0[0] }
    #expect(read == values)
    #expect(store.lastInsertedRow == Int64(values.count))
    try store.run("DELETE FROM t WHERE id > ?", [4])
    #expect(store.changeCount == Int64(values.count - 4))
  }

  @Test func `a transaction whose body throws leaves nothing behind`() throws {
    struct Stop: Error {}
    let store = try Connection.open(path("rollback"))
    try store.execute("CREATE TABLE t (v INTEGER)")
    #expect(throws: Stop.self) {
      try store.transaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(try store.rows("SELECT * FROM t").isEmpty)
    let answer = try store.transaction { connection in
      try connection.execute("INSERT INTO t VALUES (2)")
      return 7
    }
    #expect(answer == 7)
    #expect(try store.rows("SELECT v FROM t") == [[2]])
  }

  @Test func `a statement outlives its connection`() throws {
    let statement: Statement
    do {
      let store = try Connection.open(path("zombie"))
      statement = try store.prepare("SELECT 42")
    }
    #expect(try statement.step())
    #expect(statement.integer(0) == 42)
    #expect(statement.text(0) == nil)
  }

  @Test func `what cannot be done names its class`() throws {
    try Data(
      "this is no database, but it is long enough to have a header of one hundred bytes, as one would expect it"
        .utf8
    )
    .write(to: folder.appendingPathComponent("text"))
    var damaged: Data
    do {
      let store = try Connection.open(path("whole"), journal: .delete)
      try store.execute("CREATE TABLE t (v TEXT)")
      for _ in 0..<200 {
        try store.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 100))])
      }
      damaged = try Data(contentsOf: folder.appendingPathComponent("whole"))
    }
    for index in 4096..<damaged.count { damaged[index] = 0xA5 }
    try damaged.write(to: folder.appendingPathComponent("damaged"))

    let rows: [(String, StoreError.Code, () throws -> Void)] = [
      ("text file", .notADatabase, { _ = try Connection.open(path("text")) }),
      ("missing", .cannotOpen, { _ = try Connection.open(path("none"), mode: .readWrite) }),
      ("no folder", .cannotOpen, { _ = try Connection.open(path("no/where")) }),
      (
        "damaged page", .corrupt,
        {
          let store = try Connection.open(path("damaged"), journal: .asStored)
          _ = try store.rows("SELECT * FROM t")
        }
      ),
      (
        "read-only", .readOnly,
        {
          let store = try Connection.open(path("whole"), mode: .readOnly)
          try store.execute("DELETE FROM t")
        }
      ),
      (
        "wrong SQL", .error,
        {
          let store = try Connection.open(path("whole"), mode: .readOnly)
          try store.execute("SELEKT 1")
        }
      ),
      (
        "too many values", .misuse,
        {
          let store = try Connection.open(path("whole"), mode: .readOnly)
          try store.run("SELECT ?", [1, 2])
        }
      ),
      (
        "twice the same", .constraint,
        {
          let store = try Connection.open(path("unique"))
          try store.execute("CREATE TABLE u (v INTEGER UNIQUE); INSERT INTO u VALUES (1)")
          try store.execute("INSERT INTO u VALUES (1)")
        }
      ),
      (
        "locked", .busy,
        {
          let first = try Connection.open(path("lock"))
          let second = try Connection.open(path("lock"), busyTimeout: .zero)
          try first.execute("BEGIN IMMEDIATE")
          try second.transaction { try $0.execute("CREATE TABLE t (v)") }
        }
      ),
    ]
    for (name, expected, body) in rows {
      let found = code(body)
      // SQLite counts an index out of range as a code of its own.
      #expect(
        found == expected || (expected == .misuse && found?.rawValue == 25),
        "\(name): \(String(describing: found))")
    }
  }

  @Test func `steps run once, in order, and a newer or foreign history is refused untouched`()
    throws
  {
    let one = Migration("one", "CREATE TABLE t (v INTEGER)")
    let two = Migration("two", "ALTER TABLE t ADD COLUMN w TEXT; INSERT INTO t VALUES (1, 'a')")
    let broken = Migration("broken", "CREATE TABLE b (v INTEGER); SELEKT")
    let name = path("history")
    try Connection.open(name).migrate([one])
    let store = try Connection.open(name)
    #expect(code { try store.migrate([one, broken]) } == .error)
    #expect(try store.rows("SELECT 1 FROM sqlite_schema WHERE name = 'b'").isEmpty)
    try store.migrate([one, two])
    try store.migrate([one, two])
    #expect(try store.rows("SELECT v, w FROM t") == [[1, "a"]])
    #expect(code { try store.migrate([one]) } == .newerProgram)
    #expect(code { try store.migrate([two, one]) } == .foreign)
    #expect(try store.rows("SELECT name FROM migration ORDER BY position") == [["one"], ["two"]])
  }
}
