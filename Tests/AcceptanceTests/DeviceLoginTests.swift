import Foundation
import SiloTestSupport
import Testing

/// `login --device` at the embedded server, let in or refused by a person at its page.
@Suite("Sign-in by a code")
struct DeviceLoginTests {
  @Test(
    "a person at the server's page lets the device in, or refuses it", .timeLimit(.minutes(3)),
    arguments: [true, false])
  func page(isApproved: Bool) async throws {
    let tool = try Tool()
    let media = try TemporaryFolder()
    let program = try productPath("silo-fetch")
    let server = try RunningCommand(
      program,
      [
        "serve", media.path, "--listen", "127.0.0.1:0", "--data", tool.folder.path("data"),
        "--add-user", "ada", "--password-stdin",
      ], environment: tool.environment, input: "correct horse\n")
    defer { server.signal(SIGTERM) }
    let line = try await server.line { $0.hasPrefix("listening on ") }
    let url = String(line.dropFirst("listening on ".count))
    // The code is shown on stderr.
    let login = try RunningCommand(
      "sh", ["-c", "exec '\(program)' login '\(url)' --device 2>&1"],
      environment: tool.environment, in: tool.folder.path)
    let place = try await login.line { $0.hasPrefix("To let this device in, open ") }
    let address = String(place.split(separator: " ")[6])
    let shown = try await login.line { $0.hasPrefix("The code is ") }
    let code = String(shown.dropFirst("The code is ".count).prefix { $0 != ";" })
    #expect(address == "\(url)/activate?code=\(code)")
    let form = try await runSuccessfully("curl", ["-s", address]).stdout
    #expect(form.contains("value=\"\(code)\"") && form.contains("type=\"password\""))
    let question = try await runSuccessfully(
      "curl", ["-s", "-d", "code=\(code)&username=ada&password=correct+horse", url + "/activate"]
    ).stdout
    let ticket = try #require(question.firstMatch(of: /name="ticket" value="([0-9a-f]+)"/)?.1)
    let decision = isApproved ? "approve" : "deny"
    _ = try await runSuccessfully(
      "curl", ["-s", "-d", "ticket=\(ticket)&decision=\(decision)", url + "/activate"])
    let result = try await login.result()
    #expect(result.status == (isApproved ? 0 : 4), "\(result.stdout)")
    #expect(
      result.stdout.contains(isApproved ? "signed in to \(url) as ada" : "The code was refused"),
      "\(result.stdout)")
    let status = try await tool.run(["status"])
    #expect(status.status == (isApproved ? 0 : 4), "\(status.stdout)\(status.stderr)")
  }
}
