import Foundation
import SiloTestSupport
import Testing

/// Promises 5 and 6 on a disk that fails: the n-th call of the system goes wrong, or the process ends there.
///
/// `SILO_TORTURE=all` tries every call, as `Scripts/torture` does; a number tries so many, evenly spread.
@Suite("Torture")
struct TortureTests {
  @Test(
    "whatever call fails or kills: the name holds the right file or nothing, and a rerun makes it right",
    .timeLimit(.minutes(TortureSample.minutes)), arguments: TortureScenario.Kind.allCases)
  func torture(_ kind: TortureScenario.Kind) async throws {
    let scenario = try await TortureScenario.make(kind)
    let calls = try await scenario.count()
    // A library that was not loaded counts nothing, and then nothing is tried.
    for kind in SystemFault.Kind.allCases where kind != .allocate {
      #expect(calls.contains { $0.kind == kind }, "\(kind)")
    }
    for fault in TortureSample.faults(of: calls) { try await scenario.suffer(fault) }
  }
}

/// Which of the calls are made to fail, and how.
enum TortureSample {
  /// How many are tried in one scenario; `nil` for all.
  static let count: Int? = {
    guard let text = ProcessInfo.processInfo.environment["SILO_TORTURE"] else { return 24 }
    return Int(text)
  }()

  static var minutes: Int { count.map { max(10, $0 / 4) } ?? 600 }

  /// Every call in every way; or some of them, evenly spread, the first and the last included, each in another way.
  static func faults(of calls: [CountedCall]) -> [SystemFault] {
    guard let count, count < calls.count, count > 1 else {
      return calls.indices.flatMap { index in
        ways(for: calls[index].kind).map { SystemFault(at: index + 1, $0.effect, times: $0.times) }
      }
    }
    return (0..<count).map { step in
      let index = step * (calls.count - 1) / (count - 1)
      let ways = ways(for: calls[index].kind)
      let way = ways[step % ways.count]
      return SystemFault(at: index + 1, way.effect, times: way.times)
    }
  }

  private static func ways(for kind: SystemFault.Kind) -> [(
    effect: SystemFault.Effect, times: Int?
  )] {
    let any: [(effect: SystemFault.Effect, times: Int?)] = [
      (.killBefore, 1), (.error(EIO), 1), (.killAfter, 1),
    ]
    return switch kind {
    case .write:
      any + [
        (.error(ENOSPC), nil), (.killHalf, 1), (.short, 1), (.error(EDQUOT), 1), (.error(EINTR), 3),
      ]
    case .open, .allocate, .rename: any + [(.error(ENOSPC), nil)]
    case .sync: any + [(.error(EIO), nil), (.error(ENOSPC), nil)]
    case .unlink: any
    }
  }
}

/// A download that is made again and again under faults.
struct TortureScenario {
  enum Kind: String, CaseIterable, Sendable {
    case plainFile, plainFileInParallel, presentation
  }

  private static let name = "out.mkv"
  let kind: Kind
  let server: FaultServer
  let arguments: [String]
  /// The file of a run without faults.
  let expected: [UInt8]

  static func make(_ kind: Kind) async throws -> TortureScenario {
    let server = try FaultServer()
    let name = ["-o", Self.name]
    switch kind {
    case .plainFile, .plainFileInParallel:
      let bytes = try await Film.padded(by: 9 << 20)
      server.serve(bytes, at: "/film.mkv")
      let connections = kind == .plainFile ? "1" : "4"
      return TortureScenario(
        kind: kind, server: server,
        arguments: name + ["-c", connections, server.url("/film.mkv")], expected: bytes)
    case .presentation:
      let hls = try await HLSFixture.make(HLSRecipe(.ts))
      server.serve(hls.folder)
      let arguments = name + ["--audio", "tr,en", server.url("/master.m3u8")]
      let tool = try Tool()
      let straight = try await tool.run(arguments)
      try #require(straight.status == 0, "\(straight.stderr)")
      return TortureScenario(
        kind: kind, server: server, arguments: arguments, expected: try tool.folder.read(Self.name))
    }
  }

  /// The calls of a run without faults.
  func count() async throws -> [CountedCall] {
    let tool = try Tool()
    let outside = try TemporaryFolder()
    let variables = try SystemFault.counting(below: tool.folder.path, log: outside.path("calls"))
    let result = try await tool.start(arguments, variables).result()
    try #require(result.status == 0, "\(result.stderr)")
    try expectRight(tool, "without a fault")
    return try CountedCall.list(in: outside.path("calls"))
  }

  /// A run under a fault, and one without.
  func suffer(_ fault: SystemFault) async throws {
    let tool = try Tool()
    let outside = try TemporaryFolder()
    let log = outside.path("calls")
    let variables = try fault.environment(below: tool.folder.path, log: log)
    let result = try await tool.start(
      arguments + ["--retry", "2", "--wait-for-space", "0"], variables
    ).result()
    let calls = try CountedCall.list(in: log)
    let call = calls.count >= fault.at ? calls[fault.at - 1] : nil
    let note: Comment =
      "\(kind), \(fault), \(call.map { "\($0.name) \($0.path)" } ?? "not reached"): \(result.status) \(result.stderr)"
    if FileManager.default.fileExists(atPath: tool.folder.path(Self.name)) {
      #expect(try tool.folder.read(Self.name) == expected, note)
    } else {
      #expect(result.status != 0, note)
    }
    if let call { expectHonest(result, fault, call, note) }

    let again = try await tool.run(arguments)
    // A file that could not be recorded as ours, as the warning said, is taken for somebody else's, and kept.
    let isUnknown = result.status == 0 && result.stderr.contains("will not know")
    #expect(again.status == (isUnknown ? 7 : 0), "\(note)\nThen: \(again.stderr)")
    try expectRight(tool, note, but: fault, call)
  }

  /// The exit code is the fault's, and the message names the file.
  private func expectHonest(
    _ result: CommandResult, _ fault: SystemFault, _ call: CountedCall, _ note: Comment
  ) {
    switch fault.effect {
    case .killBefore, .killHalf, .killAfter: #expect(result.status == 128 + SIGKILL, note)
    case .short, .error(EINTR): #expect(result.status == 0, note)
    case .error(let code):
      // What is cleared away, or can be done without, may fail unseen.
      guard result.status != 0 else { return }
      // SQLite tells of a full disk only when a write met it.
      let isFull = code == ENOSPC || code == EDQUOT
      let isHidden = isFull && (call.path.contains("journal") || call.path.contains("sqlite"))
      #expect(result.status == (isFull ? 9 : 7) || isHidden && result.status == 7, note)
      let names = [Self.name, (call.path as NSString).lastPathComponent]
      #expect(names.contains(where: result.stderr.contains), note)
    }
  }

  private func expectRight(
    _ tool: Tool, _ note: Comment, but fault: SystemFault? = nil, _ call: CountedCall? = nil
  ) throws {
    #expect(try tool.folder.read(Self.name) == expected, note)
    let leftovers = try tool.leftovers()
    // What could not be removed, after all went well, stays.
    if let call, call.kind == .unlink, case .error = fault?.effect {
      #expect(leftovers.allSatisfy { $0.hasPrefix(Self.name) }, note)
    } else {
      #expect(leftovers == [Self.name], note)
    }
  }
}
