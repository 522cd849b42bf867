import Foundation
import SiloTestSupport
import Testing

/// The command as a user runs it, with a home of its own.
struct Tool {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs `silo-fetch` to its end.
  @discardableResult
  func run(_ arguments: [String]) async throws -> CommandResult {
    try await start(arguments).result(timeout: .seconds(90))
  }

  /// Starts `silo-fetch`, with more variables if wanted.
  func start(_ arguments: [String], _ variables: [String: String?] = [:]) throws -> RunningCommand {
    try RunningCommand(
      try TorturePlan.program ?? productPath("silo-fetch"), arguments,
      environment: environment.merging(variables) { $1 }, in: folder.path)
  }

  var environment: [String: String?] {
    [
      "SILO_FETCH_HOME": folder.path("home"), "XDG_CONFIG_HOME": folder.path("config"),
      "HOME": folder.path, "http_proxy": nil, "HTTP_PROXY": nil, "https_proxy": nil,
      "HTTPS_PROXY": nil, "ALL_PROXY": nil,
    ]
  }

  /// What lies in the folder of an output, but for the program's own home.
  func leftovers() throws -> [String] {
    try folder.names().filter { !["home", "config"].contains($0.prefix { $0 != "/" }) }.sorted()
  }
}

/// The JSON lines that `--json` prints.
func jsonLines(_ result: CommandResult) throws -> [[String: Any]] {
  try result.lines.map { line in
    try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }
}
