import Foundation
import SiloTestSupport
import Testing

/// No file system of Linux interrupts these calls; what is mounted through FUSE may.
@Suite("Interrupted calls about names")
struct InterruptedNameTests {
  @Test(
    "what makes, changes and removes names is repeated", .timeLimit(.minutes(5)),
    arguments: [SystemFault.Kind.folder, .rename, .unlink])
  func repeats(_ kind: SystemFault.Kind) async throws {
    let scenario = try await TortureScenario.make(.presentation)
    let calls = try await scenario.count().filter { $0.kind == kind && $0.caller == .program }
    // The folder of the state is Foundation's to make.
    let isOurs = { (call: CountedCall) in !call.path.hasSuffix("/home") }
    let first = try #require(calls.firstIndex(where: isOurs)) + 1
    let tool = try scenario.tool()
    let outside = try TemporaryFolder()
    let fault = SystemFault(at: first, .error(EINTR), times: 3, of: [kind], by: [.program])
    let log = outside.path("calls")
    let result = try await tool.start(
      scenario.arguments, try fault.environment(below: tool.folder.path, log: log)
    ).result()
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read(scenario.output) == scenario.expected)
    #expect(try tool.leftovers() == [scenario.output])
    #expect(try CountedCall.list(in: log).count >= calls.count + 3)
  }
}
