import Foundation
import SiloTestSupport

/// Which calls are made to fail, and how; `Scripts/torture` says so by variables.
enum TorturePlan {
  private static let variables = ProcessInfo.processInfo.environment

  /// How many are tried in one scenario; `nil` for all.
  private static let count: Int? = {
    guard let text = variables["SILO_TORTURE"] else { return 24 }
    return Int(text)
  }()

  /// The scenarios that are played; `nil` for all.
  static let scenarios = variables["SILO_TORTURE_ONLY"]?.split(separator: ",").map(String.init)

  /// The program under test, when it is not the one that was built with the tests.
  static let program = variables["SILO_TORTURE_PROGRAM"]

  /// After that long the rest is left to the next run, where a log is kept.
  static let time = Duration.seconds(
    variables["SILO_TORTURE_SECONDS"].flatMap(Int.init) ?? 36_000)

  /// How many trials of a scenario run at a time.
  static let width = variables["SILO_TORTURE_WIDTH"].flatMap(Int.init) ?? 1

  static var minutes: Int { count.map { max(10, $0 / 4) } ?? 600 }

  /// Every call in every way; or some of them, evenly spread, the first and the last included, each in another way.
  ///
  /// - Parameter hasManyCalls: Whether it is a scenario with many calls of its own; a smaller sample does for the others.
  static func faults(of calls: [CountedCall], hasManyCalls: Bool) -> [SystemFault] {
    guard let whole = count else { return everyFault(of: calls) }
    let count = hasManyCalls ? whole : max(2, whole / 3)
    guard count < calls.count, count > 1 else { return everyFault(of: calls) }
    // The step that gives the file its name, the sync of its folder, and the last part that was noted.
    let naming = calls.indices.filter { calls[$0].kind == .rename }.flatMap { [$0, $0 + 1] }
    let noted = calls.lastIndex {
      $0.kind == .write && $0.path.hasSuffix(".parts/journal.sqlite-wal")
    }
    // SQLite reads without the index of its log when it cannot be made, and calls the database read-only.
    let index = calls.firstIndex { $0.kind == .open && $0.path.hasSuffix("journal.sqlite-shm") }
    let chosen =
      (naming + [noted].compactMap { $0 }).map { Trial($0, (.error(EIO), 1)) }
      + [index].compactMap { $0 }.map { Trial($0, (.error(ENOSPC), nil)) }
    let sample = (0..<count).map { step in
      let index = step * (calls.count - 1) / (count - 1)
      let ways = failures(of: calls[index]) + others(of: calls[index])
      return Trial(index, ways[step % ways.count])
    }
    return faults(chosen + sample, of: calls)
  }

  /// Every call fails in every way, and the process is killed before and in the middle of it.
  ///
  /// A kill after a call leaves on disk what one before the next call leaves, so that only the last has both. What is no
  /// failure takes turns: calls that SQLite, or one loop of ours, has to repeat.
  static func everyFault(of calls: [CountedCall]) -> [SystemFault] {
    let trials = calls.enumerated().flatMap { index, call in
      let others = others(of: call).filter { $0.effect != .killAfter }
      let turn = others.isEmpty ? [] : [others[index % others.count]]
      let last: [Way] = index == calls.count - 1 ? [(.killAfter, 1)] : []
      return (failures(of: call) + turn + last).map { Trial(index, $0) }
    }
    return faults(trials, of: calls)
  }

  private typealias Way = (effect: SystemFault.Effect, times: Int?)

  /// One call of all, and how it goes wrong.
  private struct Trial {
    let index: Int
    let way: Way

    init(_ index: Int, _ way: Way) { (self.index, self.way) = (index, way) }
  }

  /// The faults that hit the calls of the trials.
  ///
  /// What happens a few times happens to calls of one kind by one caller, and only these are numbered: no other call meets
  /// an error that it does not know. What goes on for ever, a full or a broken disk, is met by every call from there on.
  private static func faults(_ trials: [Trial], of calls: [CountedCall]) -> [SystemFault] {
    var counts: [String: Int] = [:]
    let numbers = calls.map { call in
      counts["\(call.kind) \(call.caller)", default: 0] += 1
      return counts["\(call.kind) \(call.caller)"] ?? 0
    }
    return trials.map { trial in
      let (call, way) = (calls[trial.index], trial.way)
      guard let times = way.times else {
        return SystemFault(at: trial.index + 1, way.effect, times: nil)
      }
      return SystemFault(
        at: numbers[trial.index], way.effect, times: times, of: [call.kind], by: [call.caller])
    }
  }

  private static func failures(of call: CountedCall) -> [Way] {
    let any: [Way] = [(.killBefore, 1), (.error(EIO), 1)]
    return switch call.kind {
    case .write: any + [(.killHalf, 1), (.error(ENOSPC), nil)]
    case .open, .folder, .allocate, .rename: any + [(.error(ENOSPC), nil)]
    case .sync: any + [(.error(EIO), nil), (.error(ENOSPC), nil)]
    case .unlink: any
    }
  }

  private static func others(of call: CountedCall) -> [Way] {
    [(.killAfter, 1)] + (call.kind == .write ? [(.short, 1), (.error(EDQUOT), nil)] : [])
      + (call.mayBeInterrupted ? [(.error(EINTR), 3)] : [])
  }
}
