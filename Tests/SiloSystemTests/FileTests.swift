import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@Suite("Files")
struct FileTests {
  @Test("bytes are written and read at their offsets, and the end is seen")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let file = try OwnedDescriptor.open(folder.path("a"), .create)
    try file.write([1, 2, 3], at: 5)
    try file.write([9], at: 0)
    try file.synchronizeBytes()
    try file.synchronize()
    #expect(try file.byteCount() == 8)
    #expect(try file.read(at: 0, count: 100) == [9, 0, 0, 0, 0, 1, 2, 3])
    #expect(try file.read(at: 6, count: 1) == [2])
    #expect(try file.read(at: 8, count: 1).isEmpty)
    try file.truncate(to: 6)
    #expect(try file.byteCount() == 6)
    try file.close()
  }

  @Test("what is no regular file is not waited for and not read")
  func others() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for path in [folder.path("pipe"), "/dev/null", folder.path] {
      let error = #expect(throws: SystemCallError.self) {
        try OwnedDescriptor.open(path, .read).close()
      }
      #expect(error?.description.hasSuffix("This is no regular file") == true)
    }
  }

  @Test("space is reserved without growing the file, and a hole reads as zeros")
  func space() throws {
    let folder = try TemporaryFolder()
    let file = try OwnedDescriptor.open(folder.path("a"), .createNew)
    try file.reserve(0..<1 << 20, growing: false)
    #expect(try file.byteCount() == 0)
    try file.write([UInt8](repeating: 7, count: 16_384), at: 0)
    file.startWriting(0..<16_384)
    if try file.punchHole(4096..<8192) {
      #expect(try file.read(at: 4095, count: 2) == [7, 0])
      #expect(try file.read(at: 8191, count: 2) == [0, 7])
    }
    #expect(try file.byteCount() == 16_384)
  }

  @Test("a lock has one holder, and goes with it")
  func lock() throws {
    let folder = try TemporaryFolder()
    let second = try OwnedDescriptor.open(folder.path("lock"), .create)
    do {
      let first = try OwnedDescriptor.open(folder.path("lock"), .create)
      #expect(try first.tryLock())
      #expect(try !second.tryLock())
    }
    #expect(try second.tryLock())
  }

  @Test("a lock goes with its owner, whoever is being started meanwhile and has a copy")
  func lockWithCopy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lock")
    func lock(_ isClosed: Bool) throws -> Int32 {
      let owner = try OwnedDescriptor.open(path, .create)
      #expect(try owner.tryLock())
      let copy = dup(owner.number)
      if isClosed { try owner.close() }
      return copy
    }
    for isClosed in [true, false] {
      let copy = try lock(isClosed)
      defer { close(copy) }
      let next = try OwnedDescriptor.open(path, .update)
      #expect(try next.tryLock(), "closed: \(isClosed)")
    }
  }

  @Test("a failed call names itself, the path and the reason")
  func failures() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("mis\u{1b}sing")
    do {
      _ = try OwnedDescriptor.open(path, .read)
      Issue.record("opened what is not there")
    } catch let error as SystemCallError {
      #expect(error.call == "open" && error.isNotFound && !error.isOutOfSpace)
      #expect(error.description.contains("mis\\u{1b}sing: No such file"))
    }
    try folder.write("there", "x")
    do {
      _ = try OwnedDescriptor.open(folder.path("there"), .createNew)
      Issue.record("made what was there")
    } catch let error as SystemCallError {
      #expect(error.isExisting)
    }
  }

  @Test("a full disk is recognised")
  func full() throws {
    let full = try OwnedDescriptor.open("/dev/full", .update)
    do {
      try full.write([1], at: 0)
      Issue.record("wrote to a full device")
    } catch let error as SystemCallError {
      #expect(error.isOutOfSpace)
    }
  }

  @Test("a small file is replaced whole, and leaves nothing beside it")
  func atomic() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state")
    try AtomicFile.write(Array("one".utf8), to: path, permissions: 0o600)
    try AtomicFile.write(Array("two".utf8), to: path, permissions: 0o600)
    #expect(try folder.read("state") == Array("two".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try folder.write("film.part", "film")
    try folder.write("sub/x", "x")
    try AtomicFile.rename(folder.path("film.part"), to: folder.path("sub/film"))
    #expect(try folder.names() == ["state", "sub", "sub/film", "sub/x"])
    #expect(throws: SystemCallError.self) {
      try AtomicFile.rename(folder.path("none"), to: folder.path("any"))
    }
  }
}
