import Glibc

/// What makes a file the same file: another version of it differs in at least one of these.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
  var byteCount: Int64
  var seconds: Int64
  var nanoseconds: Int64

  /// When it was last changed, in nanoseconds since 1970.
  var modifiedNanoseconds: Int64 { seconds &* 1_000_000_000 &+ nanoseconds }

  /// A strong entity tag, quotes included.
  var entityTag: String {
    let parts = [UInt64(bitPattern: byteCount), UInt64(bitPattern: seconds)]
      .map { String($0, radix: 16) }
    let fraction = String(nanoseconds, radix: 16)
    return "\"\(String(inode, radix: 16))-\(parts[0])-\(parts[1]).\(fraction)\""
  }
}

extension FileIdentity {
  fileprivate init(_ facts: stat) {
    self.init(
      device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino), byteCount: Int64(facts.st_size),
      seconds: Int64(facts.st_mtim.tv_sec), nanoseconds: Int64(facts.st_mtim.tv_nsec))
  }
}

/// A regular file that is open for reading, for as long as an answer needs it.
final class OpenFile: Sendable {
  /// The descriptor; its cursor is not used.
  let descriptor: Int32
  /// The absolute path, links resolved.
  let path: String
  /// The version that is open.
  let identity: FileIdentity

  init(adopting descriptor: Int32, path: String, facts: stat) {
    self.descriptor = descriptor
    self.path = path
    identity = FileIdentity(facts)
  }

  deinit { close(descriptor) }

  /// Whether it is still the version that was opened, under a name: false as soon as it was written to, cut, removed or replaced.
  var isUnchanged: Bool {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0 && FileIdentity(facts) == identity
  }

  /// The length in bytes.
  var byteCount: Int64 { identity.byteCount }
}
