import Glibc
import SiloSystem

/// A call of the system that goes wrong in a command that a test runs: the n-th of those that change something below a folder.
///
/// Sockets, pipes and files elsewhere are left alone. The library `FaultyCalls` of this package does it, loaded before libc.
package struct SystemFault: Sendable, Codable, CustomStringConvertible {
  /// What a call does.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// `write`, `pwrite`, `writev`, `pwritev`, `copy_file_range`.
    case write
    /// `fsync`, `fdatasync`.
    case sync
    /// `rename`, `renameat2`, `link`.
    case rename
    /// `fallocate`, `posix_fallocate`, `ftruncate`.
    case allocate
    /// `open` for writing.
    case open
    /// `mkdir`.
    case folder
    /// `unlink`, `rmdir`.
    case unlink
  }

  /// Whose call it is.
  package enum Caller: String, Sendable, Codable, CaseIterable {
    /// The program's own.
    case program
    /// SQLite's: what it repeats, and what it takes for a failure, is its affair.
    case database
  }

  /// How it goes wrong.
  package enum Effect: Sendable, Codable, Hashable {
    /// It does nothing and fails with this errno.
    case error(Int32)
    /// It writes half; a call of another kind is made as usual.
    case short
    /// The process is killed before it.
    case killBefore
    /// The process is killed when half of it is written; before a call of another kind.
    case killHalf
    /// The process is killed after it.
    case killAfter
  }

  /// The number of the first call that goes wrong, from 1, among those of `kinds` by `callers`.
  package var at: Int
  /// How it goes wrong.
  package var effect: Effect
  /// How many calls go wrong from there on; `nil` for all.
  package var times: Int?
  /// The kinds of calls that are counted, and hit.
  package var kinds: Set<Kind>
  /// Whose calls are counted, and hit.
  package var callers: Set<Caller>

  /// A fault at the call number `at` of these kinds by these callers; no other call is counted or hit.
  package init(
    at: Int, _ effect: Effect, times: Int? = 1, of kinds: Set<Kind> = Set(Kind.allCases),
    by callers: Set<Caller> = Set(Caller.allCases)
  ) {
    self.at = at
    self.effect = effect
    self.times = times
    self.kinds = kinds
    self.callers = callers
  }

  /// "call 12: No space left on device from then on", "sync 3 of the database: Input/output error".
  package var description: String {
    let how =
      switch effect {
      case .error(let code): "\(String(cString: strerror(code)))"
      default: "\(effect)"
      }
    let call = kinds.count == 1 ? kinds.first?.rawValue ?? "" : "call"
    let caller = callers.count == 1 ? callers.first.map { " of the \($0)" } ?? "" : ""
    return
      "\(call) \(at)\(caller): \(how)\(times == 1 ? "" : times.map { " \($0) times" } ?? " from then on")"
  }

  /// The variables with which a command meets the fault.
  ///
  /// - Parameters:
  ///   - folder: Calls below it are counted; an absolute path without links.
  ///   - log: A file, outside of the folder, that gets a line for every call that is counted.
  package func environment(below folder: String, log: String) throws -> [String: String?] {
    var variables = try Self.counting(kinds, by: callers, below: folder, log: log)
    variables["SILO_FAULT_AT"] = "\(at)"
    variables["SILO_FAULT_TIMES"] = "\(times ?? 0)"
    variables["SILO_FAULT_HOW"] =
      switch effect {
      case .error(let code): "\(code)"
      case .short: "short"
      case .killBefore: "kill"
      case .killHalf: "kill-half"
      case .killAfter: "kill-after"
      }
    return variables
  }

  /// The variables with which calls are counted and none goes wrong.
  package static func counting(
    _ kinds: Set<Kind> = Set(Kind.allCases), by callers: Set<Caller> = Set(Caller.allCases),
    below folder: String, log: String
  ) throws -> [String: String?] {
    try preloading([
      "SILO_FAULT_BELOW": folder, "SILO_FAULT_LOG": log,
      "SILO_FAULT_CALLS": kinds.map(\.rawValue).joined(separator: ","),
      "SILO_FAULT_BY": callers.map(\.rawValue).joined(separator: ","),
    ])
  }

  /// The variables with which names of hosts resolve to what a file says, which may change meanwhile.
  ///
  /// - Parameter hosts: A file with a name and a numeric address in every line.
  package static func resolving(hosts: String) throws -> [String: String?] {
    try preloading(["SILO_FAULT_HOSTS": hosts])
  }

  /// The variables with which every file system has at most so many bytes left, as far as it is asked.
  package static func telling(freeByteCount: Int64) throws -> [String: String?] {
    try preloading(["SILO_FAULT_FREE": "\(freeByteCount)"])
  }

  private static func preloading(_ variables: [String: String?]) throws -> [String: String?] {
    var variables = variables
    variables["LD_PRELOAD"] = try productPath("libFaultyCalls.so")
    // The address sanitizer wants to be the first library; it works as the second.
    if let options = getenv("ASAN_OPTIONS") {
      variables["ASAN_OPTIONS"] = String(cString: options) + ":verify_asan_link_order=0"
    }
    return variables
  }
}
