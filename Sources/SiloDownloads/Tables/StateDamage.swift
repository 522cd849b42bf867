import Foundation
import SiloSystem
import Synchronization

/// Sets a damaged database aside, under a name of its own and never deleted, and remembers what is to be told.
final class StateDamage: Sendable {
  /// Two items of one process may meet the damage at once.
  private static let turn = Mutex(())
  private let told = Mutex<[String]>([])

  /// The number of the file at `path`; `nil` when there is none.
  static func number(of path: String) -> UInt64? {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return facts?[.systemFileNumber] as? UInt64
  }

  /// Moves the database at `path` to `path.damaged-N`, unless somebody has done so already.
  ///
  /// - Parameter file: The number of the file in which the damage was met.
  /// - Returns: Whether there is room for a new one; `false` while another process looks after it.
  func setAside(_ path: String, file: UInt64) throws -> Bool {
    try Self.turn.withLock { _ in
      let folder = try OwnedDescriptor.openFolder(AtomicFile.folder(of: path))
      guard try folder.tryLock() else { return false }
      guard Self.number(of: path) == file else { return true }
      var count = 1
      while Self.number(of: "\(path).damaged-\(count)") != nil { count += 1 }
      let aside = "\(path).damaged-\(count)"
      // What belongs to it goes first: a new database must never find the log of the old one.
      for suffix in ["-wal", "-shm"] where Self.number(of: path + suffix) != nil {
        try AtomicFile.rename(path + suffix, to: aside + suffix)
      }
      try AtomicFile.rename(path, to: aside)
      told.withLock {
        $0.append(
          "the state of queue and library was damaged and is kept as \(Redaction.printable(aside)); a new one is begun. What was in the queue has to be added again, and files finished before are no longer known as such: --overwrite fetches them again"
        )
      }
      return true
    }
  }

  /// What the user should be told, once.
  func take() -> [String] {
    told.withLock { told in
      defer { told = [] }
      return told
    }
  }
}
