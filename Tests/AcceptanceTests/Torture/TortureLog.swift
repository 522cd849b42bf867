import Foundation
import SiloTestSupport

/// How far a scenario is, in a folder that outlives the tests; without one, nothing is kept.
struct TortureLog {
  private let folder: String?
  private let name: String

  init(_ name: String) {
    folder = ProcessInfo.processInfo.environment["SILO_TORTURE_LOG"]
    self.name = name
    // "12 of 3400, 0 not reached".
    let text = path("done").flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    let numbers = text?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
    done = numbers.first ?? 0
    unreached = numbers.count > 2 ? numbers[2] : 0
  }

  private func path(_ suffix: String) -> String? { folder.map { "\($0)/\(name).\(suffix)" } }

  /// How many trials are done.
  private(set) var done = 0
  /// How many of them never came to their fault.
  private var unreached = 0

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

  /// Notes that so many trials are done, in the last of which so many faults were not reached: a run made fewer calls.
  mutating func finish(_ count: Int, of total: Int, missed: Int) throws {
    guard let path = path("done") else { return }
    unreached += missed
    try "\(count) of \(total), \(unreached) not reached\n".write(
      toFile: path, atomically: true, encoding: .utf8)
  }
}
