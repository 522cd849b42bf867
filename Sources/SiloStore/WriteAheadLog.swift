import Glibc
import SiloSystem

/// The log beside a database, and the index of the log, which is shared by all who have it open.
struct WriteAheadLog {
  private let path: String

  /// The log of the database at `path`.
  init(of path: String) { self.path = path }

  /// Fails at once where SQLite would try again for ten seconds, and then speak of a "locking protocol".
  ///
  /// A disk that failed right after the header of a log was written leaves a log of 32 bytes. When the index cannot be made
  /// either, SQLite makes one in memory, and compares marks that it reads in the header of a log with such that it takes from
  /// the first frame, here none (`walIndexRecover`, `walBeginShmUnreliable` of 3.40): they never agree.
  func checkIndex() throws(StoreError) {
    guard byteCount(of: path + "-wal") == Self.headerByteCount else { return }
    guard let obstacle = FileSystem.obstacle(toWritingBeside: path) else { return }
    // An index that is there is opened, whoever may make files in its folder.
    if obstacle.isForbidden, byteCount(of: path + "-shm") != nil { return }
    let code: StoreError.Code =
      obstacle.isOutOfSpace ? .full : obstacle.isReadOnly ? .readOnly : .inputOutput
    throw StoreError(code, message: SystemCallError.reason(obstacle.errno), path: path)
  }

  /// See "WAL File Format" in SQLite's file format.
  private static let headerByteCount: Int64 = 32

  private func byteCount(of path: String) -> Int64? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int64(facts.st_size) : nil
  }
}
