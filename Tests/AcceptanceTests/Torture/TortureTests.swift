import Foundation
import SiloTestSupport
import Testing

/// Promises 5 and 6 on a disk that fails: the n-th call of the system goes wrong, or the process ends there.
///
/// A sample of all calls; `Scripts/torture` tries every one.
@Suite("Torture")
struct TortureTests {
  @Test(
    "whatever call fails or kills: the name holds the right file or nothing, and a rerun makes it right",
    .timeLimit(.minutes(TorturePlan.minutes)), arguments: TortureScenario.Kind.allCases)
  func torture(_ kind: TortureScenario.Kind) async throws {
    guard TorturePlan.scenarios.map({ $0.contains(kind.rawValue) }) ?? true else { return }
    var log = TortureLog(kind.rawValue)
    let scenario = try await TortureScenario.make(kind)
    let calls = try await scenario.count()
    // A library that was not loaded counts nothing, and then nothing is tried.
    for kind in SystemFault.Kind.allCases where ![.allocate, .folder].contains(kind) {
      #expect(calls.contains { $0.kind == kind }, "\(kind)")
    }
    for caller in SystemFault.Caller.allCases {
      #expect(calls.contains { $0.kind == .sync && $0.caller == caller }, "\(caller)")
    }
    let faults = try log.trials { TorturePlan.faults(of: calls, hasManyCalls: kind.hasManyCalls) }
    let end = ContinuousClock.now + TorturePlan.time
    for number in stride(from: log.done, to: faults.count, by: TorturePlan.width) {
      guard ContinuousClock.now < end else { return }
      let next = number..<min(number + TorturePlan.width, faults.count)
      var missed = 0
      try await withThrowingTaskGroup { group in
        for number in next {
          group.addTask { (number, try await scenario.suffer(faults[number])) }
        }
        for try await (number, outcome) in group {
          missed += outcome.wasReached ? 0 : 1
          for complaint in outcome.complaints {
            Issue.record("\(kind), trial \(number + 1), \(complaint)")
            try log.note("trial \(number + 1), \(complaint)")
          }
        }
      }
      try log.finish(next.upperBound, of: faults.count, missed: missed)
    }
  }
}
