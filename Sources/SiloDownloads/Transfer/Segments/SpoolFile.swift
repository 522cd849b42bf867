import Glibc
import SiloSystem

/// One open spool, shared by whoever appends and whoever syncs.
final class SpoolFile: Sendable {
  let path: String
  let descriptor: OwnedDescriptor

  init(_ path: String) throws {
    self.path = path
    descriptor = try OwnedDescriptor.open(path, .create)
  }

  /// A number that changes when the machine starts; what the page cache held until then may be lost.
  static func boot() -> String {
    let path = "/proc/sys/kernel/random/boot_id"
    guard let file = try? OwnedDescriptor.open(path, .read),
      let bytes = try? file.read(at: 0, count: 64)
    else { return "" }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
