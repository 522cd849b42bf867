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
    return (naming + [noted].compactMap { $0 }).map { SystemFault(at: $0 + 1, .error(EIO)) }
      + (0..<count).map { step in
        let index = step * (calls.count - 1) / (count - 1)
        let ways = failures(of: calls[index].kind) + others(of: calls[index].kind)
        let way = ways[step % ways.count]
        return SystemFault(at: index + 1, way.effect, times: way.times)
      }
  }

  /// Every call fails in every way, and the process is killed before and in the middle of it.
  ///
  /// A kill after a call leaves on disk what one before the next call leaves, so that only the last has both. What is no
  /// failure takes turns: writes that SQLite, or one loop of ours, has to repeat.
  private static func everyFault(of calls: [CountedCall]) -> [SystemFault] {
    calls.enumerated().flatMap { index, call in
      let others = others(of: call.kind).filter { $0.effect != .killAfter }
      let turn = others.isEmpty ? [] : [others[index % others.count]]
      let last: [Way] = index == calls.count - 1 ? [(.killAfter, 1)] : []
      return (failures(of: call.kind) + turn + last).map {
        SystemFault(at: index + 1, $0.effect, times: $0.times)
      }
    }
  }

  private typealias Way = (effect: SystemFault.Effect, times: Int?)

  private static func failures(of kind: SystemFault.Kind) -> [Way] {
    let any: [Way] = [(.killBefore, 1), (.error(EIO), 1)]
    return switch kind {
    case .write: any + [(.killHalf, 1), (.error(ENOSPC), nil)]
    case .open, .allocate, .rename: any + [(.error(ENOSPC), nil)]
    case .sync: any + [(.error(EIO), nil), (.error(ENOSPC), nil)]
    case .unlink: any
    }
  }

  private static func others(of kind: SystemFault.Kind) -> [Way] {
    kind == .write
      ? [(.killAfter, 1), (.short, 1), (.error(EDQUOT), nil), (.error(EINTR), 3)]
      : [(.killAfter, 1)]
  }
}

/// How far a scenario is, in a folder that outlives the tests; without one, nothing is kept.
struct TortureLog {
  private let folder: String?
  private let name: String

  init(_ name: String) {
    folder = ProcessInfo.processInfo.environment["SILO_TORTURE_LOG"]
    self.name = name
  }

  private func path(_ suffix: String) -> String? { folder.map { "\($0)/\(name).\(suffix)" } }

  /// How many trials are done.
  var done: Int {
    let text = path("done").flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    return text?.split(separator: " ").first.flatMap { Int($0) } ?? 0
  }

  /// The trials of the run that began; those of `make` when this is it.
  ///
  /// The number of calls differs a little between runs, and a number has to mean the same trial in all of them.
  func trials(_ make: () -> [SystemFault]) throws -> [SystemFault] {
    guard let path = path("trials") else { return make() }
    if let stored = try? Data(contentsOf: URL(filePath: path)) {
      return try JSONDecoder().decode([SystemFault].self, from: stored)
    }
    let faults = make()
    try JSONEncoder().encode(faults).write(to: URL(filePath: path))
    return faults
  }

  /// Keeps what was found.
  func note(_ text: String) throws {
    guard let path = path("faults") else { return }
    let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try (before + text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Notes that so many trials are done.
  func finish(_ count: Int, of total: Int) throws {
    guard let path = path("done") else { return }
    try "\(count) of \(total)\n".write(toFile: path, atomically: true, encoding: .utf8)
  }
}
