import Glibc
import SiloSystem

/// A call that was counted in a command.
package struct CountedCall: Sendable {
  /// What it does.
  package let kind: SystemFault.Kind
  /// Whose it is.
  package let caller: SystemFault.Caller
  /// Its name.
  package let name: String
  /// What it was about.
  package let path: String

  /// A call by these facts.
  package init(
    _ kind: SystemFault.Kind, by caller: SystemFault.Caller, name: String, path: String
  ) {
    self.kind = kind
    self.caller = caller
    self.name = name
    self.path = path
  }

  /// Whether a signal may interrupt the call (`EINTR`) and its caller has to repeat it.
  ///
  /// By the manual pages of Linux, that do not know the error for names: rename, link, unlink, mkdir. SQLite repeats what it
  /// writes, opens and allocates, and takes an interrupted sync for one that failed; on a disk, none is interrupted.
  package var mayBeInterrupted: Bool {
    switch kind {
    case .write, .open, .allocate: true
    case .sync: caller == .program
    case .rename, .folder, .unlink: false
    }
  }

  /// The calls in a log, by their number from 1 on; those of a log that is not there are none.
  package static func list(in log: String) throws -> [CountedCall] {
    guard access(log, F_OK) == 0 else { return [] }
    let file = try OwnedDescriptor.open(log, .read)
    let text = String(decoding: try file.read(at: 0, count: Int(file.byteCount())), as: UTF8.self)
    let calls = text.split(separator: "\n").compactMap { line -> (Int, CountedCall)? in
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard words.count == 5, let number = Int(words[0]),
        let kind = SystemFault.Kind(rawValue: words[1]),
        let caller = SystemFault.Caller(rawValue: words[2])
      else { return nil }
      return (number, CountedCall(kind, by: caller, name: words[3], path: words[4]))
    }
    // Threads may write their lines in another order than they were counted.
    return calls.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
