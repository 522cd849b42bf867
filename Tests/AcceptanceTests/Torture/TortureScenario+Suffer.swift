import Foundation
import SiloTestSupport
import Testing

extension TortureScenario {
  /// A run under a fault, and one without; returns what was wrong, and whether the fault's call was made.
  func suffer(_ fault: SystemFault) async throws -> (complaints: [String], wasReached: Bool) {
    let tool = try tool()
    let outside = try TemporaryFolder()
    let log = outside.path("calls")
    let variables = try roominess().merging(
      fault.environment(below: tool.folder.path, log: log)
    ) { $1 }
    let result = try await tool.start(
      arguments + ["--retry", "2", "--wait-for-space", "0"], variables
    ).result(timeout: .seconds(60))
    let calls = try CountedCall.list(in: log)
    let call = calls.count >= fault.at ? calls[fault.at - 1] : nil
    var complaints: [String] = []
    if FileManager.default.fileExists(atPath: tool.folder.path(output)) {
      if try tool.folder.read(output) != expected { complaints.append("another file") }
    } else if result.status == 0 || kind == .replacedFile {
      complaints.append("no file")
    }
    if let call { complaints += dishonesty(result, fault, call) }

    let again = try await tool.start(arguments, roominess()).result(timeout: .seconds(60))
    if again.status != 0 {
      complaints.append("a rerun ends with \(again.status): \(Self.words(of: again))")
    }
    if (try? tool.folder.read(output)) != expected { complaints.append("not right by a rerun") }
    let leftovers = try tool.leftovers()
    // What could not be removed, after all went well, stays.
    let isStuck = if call?.kind == .unlink, case .error = fault.effect { true } else { false }
    if leftovers != [output], !isStuck || !leftovers.allSatisfy({ $0.hasPrefix(output) }) {
      complaints.append("left over: \(leftovers)")
    }
    let place = call.map { "\($0.name) \($0.path.dropFirst(tool.folder.path.count + 1))" }
    let lines = complaints.map {
      "\(fault), \(place ?? "not reached"): \($0) [\(Self.words(of: result))]"
    }
    return (lines, call != nil)
  }

  /// What is wrong with the exit code, which is the fault's, or with the message, which names the file.
  private func dishonesty(
    _ result: CommandResult, _ fault: SystemFault, _ call: CountedCall
  ) -> [String] {
    var expected: Int32
    switch fault.effect {
    case .killBefore, .killHalf, .killAfter: expected = 128 + SIGKILL
    case .short, .error(EINTR): expected = 0
    case .error(let code):
      // What is cleared away, or can be done without, may fail unseen.
      guard result.status != 0 else { return [] }
      expected = code == ENOSPC || code == EDQUOT ? 9 : 7
      let names = [output, (call.path as NSString).lastPathComponent]
      if !names.contains(where: result.stderr.contains) { return ["a message without a file"] }
    }
    return result.status == expected ? [] : ["ends with \(result.status), not \(expected)"]
  }

  /// How it ended, and why.
  private static func words(of result: CommandResult) -> String {
    let lines = result.stderr.split(separator: "\n").filter {
      $0.hasPrefix("error") || $0.contains("warning")
    }
    return "\(result.status) \(lines.joined(separator: " "))"
  }
}
