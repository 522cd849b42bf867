import SiloSystem

/// What shows that a worker is alive: an flock(2) on a file of its item, gone when the process is.
struct ItemLock: ~Copyable {
  private let descriptor: OwnedDescriptor

  private init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

  /// Takes the lock of the item `number`; `nil` while somebody has it.
  ///
  /// - Throws: `SystemCallError` when the folder of the state cannot be written.
  static func take(_ number: Int64, in home: String) throws -> ItemLock? {
    try take(named: "\(number)", in: home)
  }

  /// Takes the lock of what lies beside `path`; `nil` while somebody has it.
  static func take(besides path: String, in home: String) throws -> ItemLock? {
    try take(named: "beside-" + Digest.hex(of: Array(path.utf8)), in: home)
  }

  private static func take(named name: String, in home: String) throws -> ItemLock? {
    try AtomicFile.makeFolder(folder(in: home))
    let path = "\(folder(in: home))/\(name).lock"
    // Whoever had the lock removes its file: then what was just locked is a file that is no longer there.
    for _ in 0..<20 {
      let descriptor = try OwnedDescriptor.open(path, .create, permissions: 0o600)
      guard try descriptor.tryLock() else { return nil }
      if try descriptor.isStillAt(path) { return ItemLock(descriptor) }
    }
    return nil
  }

  /// Whether a worker has the item `number`; without one, nothing is made.
  static func isHeld(_ number: Int64, in home: String) -> Bool {
    guard let descriptor = try? OwnedDescriptor.open(path(of: number, in: home), .read),
      let isFree = try? descriptor.tryLock()
    else { return false }
    return !isFree
  }

  private static func folder(in home: String) -> String { home + "/running" }
  private static func path(of number: Int64, in home: String) -> String {
    "\(folder(in: home))/\(number).lock"
  }

  /// Gives the lock back.
  consuming func release() {}

  // Removed while it is still held, so that whoever waits never has the lock of a file that is gone.
  deinit { AtomicFile.remove(descriptor.path) }
}
