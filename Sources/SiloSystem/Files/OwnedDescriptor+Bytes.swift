import CLinux
import Glibc

extension OwnedDescriptor {
  /// Reads at `offset` into `buffer`; returns how many bytes were read, fewer only at the end.
  package func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    try buffer.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = try Self.retrying("pread", path) {
          pread(
            number, bytes.baseAddress?.advanced(by: done), bytes.count - done, Int(offset) + done)
        }
        if count == 0 { break }
        done += count
      }
      return done
    }
  }

  /// Reads up to `count` bytes at `offset`; fewer only at the end.
  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    var buffer = span.mutableBytes
    let read = try read(at: offset, into: &buffer)
    bytes.removeSubrange(read...)
    return bytes
  }

  /// Hands everything to `body`, a piece of up to 1 MiB after the other with its offset; returns the length.
  ///
  /// - Throws: `CancellationError` between two pieces once the flag is raised.
  package func readPieces(
    unless flag: CancellationFlag, _ body: (_ piece: RawSpan, _ offset: Int64) throws -> Void
  ) throws -> Int64 {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    while true {
      try flag.check()
      var span = buffer.mutableSpan
      var bytes = span.mutableBytes
      let count = try read(at: offset, into: &bytes)
      guard count > 0 else { return offset }
      try body(buffer.span.bytes.extracting(first: count), offset)
      offset += Int64(count)
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: RawSpan, at offset: Int64) throws {
    try bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        done += try Self.retrying("pwrite", path) {
          pwrite(
            number, bytes.baseAddress?.advanced(by: done), bytes.count - done, Int(offset) + done)
        }
      }
    }
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int64) throws {
    try write(bytes.span.bytes, at: offset)
  }

  /// Makes the bytes durable, and the length; not the times.
  package func synchronizeBytes() throws {
    try Self.retrying("fdatasync", path) { fdatasync(number) }
  }

  /// Makes the bytes and everything about the file durable.
  package func synchronize() throws {
    try Self.retrying("fsync", path) { fsync(number) }
  }

  /// Starts writing a range to the disk without waiting for it, so that a later sync is short.
  package func startWriting(_ range: Range<Int64>) {
    // A hint: that it failed shows at the next sync.
    _ = silo_start_writing(number, range.lowerBound, range.upperBound - range.lowerBound)
  }

  /// Cuts or extends to `byteCount`.
  package func truncate(to byteCount: Int64) throws {
    try Self.retrying("ftruncate", path) { ftruncate(number, Int(byteCount)) }
  }

  /// Reserves the blocks of a range; the length grows when `growing`.
  ///
  /// Returns false where the file system cannot (`EOPNOTSUPP`): the caller then writes without a reservation.
  @discardableResult
  package func reserve(_ range: Range<Int64>, growing: Bool) throws -> Bool {
    try allocate(range, mode: growing ? 0 : silo_falloc_keep_size)
  }

  /// Gives the blocks of a range back: it reads as zeros and the length stays.
  ///
  /// Returns false where the file system cannot.
  @discardableResult
  package func punchHole(_ range: Range<Int64>) throws -> Bool {
    try allocate(range, mode: silo_falloc_punch_hole | silo_falloc_keep_size)
  }

  private func allocate(_ range: Range<Int64>, mode: Int32) throws -> Bool {
    if range.isEmpty { return true }
    do throws(SystemCallError) {
      try Self.retrying("fallocate", path) {
        silo_fallocate(number, mode, range.lowerBound, range.upperBound - range.lowerBound)
      }
      return true
    } catch {
      if error.errno == EOPNOTSUPP || error.errno == ENOSYS { return false }
      throw error
    }
  }

  /// The length in bytes.
  package func byteCount() throws -> Int64 {
    var status = stat()
    try Self.retrying("fstat", path) { fstat(number, &status) }
    return Int64(status.st_size)
  }

  /// When the bytes were last changed, in nanoseconds since 1970.
  package func modificationNanoseconds() throws -> Int64 {
    var status = stat()
    try Self.retrying("fstat", path) { fstat(number, &status) }
    return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// Whether the open file is the one that `path` names now.
  package func isStillAt(_ path: String) throws -> Bool {
    var own = stat()
    var named = stat()
    try Self.retrying("fstat", self.path) { fstat(number, &own) }
    return stat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Waits for the exclusive lock of `flock(2)`.
  package func lock() throws { try Self.retrying("flock", path) { flock(number, LOCK_EX) } }

  /// Takes the exclusive lock of `flock(2)` without waiting; false when another holder has it.
  package func tryLock() throws -> Bool {
    do throws(SystemCallError) {
      try Self.retrying("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.errno == EWOULDBLOCK { return false }
      throw error
    }
  }
}

extension OwnedDescriptor {
  /// Makes an event readable.
  func raise() {
    var count: UInt64 = 1
    _ = Glibc.write(number, &count, 8)
  }

  /// Makes an event unreadable again.
  func drain() {
    var count: UInt64 = 0
    _ = Glibc.read(number, &count, 8)
  }

  /// Waits until there is something to read.
  func waitUntilReadable() {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}
