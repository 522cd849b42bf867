import Foundation
import SiloTestSupport
import Testing

@Suite("The plan of the torture")
struct TorturePlanTests {
  private typealias Kind = SystemFault.Kind
  private typealias Caller = SystemFault.Caller

  /// Three calls of every kind by everyone.
  private static let calls = Kind.allCases.flatMap { kind in
    Caller.allCases.flatMap { caller in
      ["a", "b", "c"].map { CountedCall(kind, by: caller, name: kind.rawValue, path: "/out/\($0)") }
    }
  }

  @Test("only calls that a signal may interrupt are, and no other call shares the fault")
  func interruptions() {
    let faults = TorturePlan.everyFault(of: Self.calls).filter { $0.effect == .error(EINTR) }
    let hit = Set(faults.map { "\($0.kinds.map(\.rawValue)) \($0.callers.map(\.rawValue))" })
    #expect(
      hit == [
        #"["write"] ["program"]"#, #"["write"] ["database"]"#, #"["open"] ["program"]"#,
        #"["open"] ["database"]"#, #"["allocate"] ["program"]"#, #"["allocate"] ["database"]"#,
        #"["sync"] ["program"]"#,
      ])
    #expect(faults.allSatisfy { $0.times == 3 })
  }

  @Test("every call fails and is killed at its number among those of its kind and caller")
  func numbers() {
    let faults = TorturePlan.everyFault(of: Self.calls)
    for kind in Kind.allCases {
      for caller in Caller.allCases {
        let own = faults.filter { $0.kinds == [kind] && $0.callers == [caller] }
        for effect in [SystemFault.Effect.error(EIO), .killBefore] {
          #expect(
            own.filter { $0.effect == effect && $0.times == 1 }.map(\.at) == [1, 2, 3],
            "\(kind) by \(caller): \(effect)")
        }
      }
    }
  }

  @Test("a disk that is full or broken for good is so for every call from there on")
  func forGood() {
    let faults = TorturePlan.everyFault(of: Self.calls).filter { $0.times == nil }
    let all = faults.allSatisfy {
      $0.kinds == Set(Kind.allCases) && $0.callers == Set(Caller.allCases)
    }
    #expect(all)
    let full = faults.filter { $0.effect == .error(ENOSPC) }.map { Self.calls[$0.at - 1].kind }
    #expect(Set(full) == Set(Kind.allCases).subtracting([.unlink]))
  }
}
