import Foundation
import Glibc
import SiloSystem

/// How a command ended and what it said.
package struct CommandResult: Sendable {
  /// The exit status; 128 plus the signal's number when a signal ended it.
  package let status: Int32
  /// What it wrote to its standard output.
  package let output: [UInt8]
  /// What it wrote to its standard error.
  package let errors: [UInt8]

  /// The standard output as text.
  package var stdout: String { String(decoding: output, as: UTF8.self) }
  /// The standard error as text.
  package var stderr: String { String(decoding: errors, as: UTF8.self) }
  /// The lines of the standard output, without empty ones.
  package var lines: [String] { stdout.split(whereSeparator: \.isNewline).map(String.init) }
}

/// A command that did not do what a test takes for granted.
package struct CommandFailure: Error, CustomStringConvertible {
  /// What happened.
  package let description: String
}

/// Runs a command to its end and returns how it ended; a status other than 0 is no error.
///
/// Waits without occupying a thread of the shared pool. Output of any size is fine: it goes through files.
///
/// - Parameters:
///   - executable: A path, or a name that PATH has.
///   - environment: Variables set, or removed with `nil`, on top of the test's own.
///   - input: The bytes of its standard input.
///   - folder: Its working folder.
///   - timeout: After that long it is killed, and the status is 137.
package func run(
  _ executable: String, _ arguments: [String], environment: [String: String?] = [:],
  input: String = "", in folder: String? = nil, timeout: Duration = .seconds(120)
) async throws -> CommandResult {
  let command = try RunningCommand(
    executable, arguments, environment: environment, input: input, in: folder)
  return try await command.result(timeout: timeout)
}

/// Runs a command to its end and returns how it ended; a status other than 0 is no error.
package func run(_ executable: String, _ arguments: String...) async throws -> CommandResult {
  try await run(executable, arguments)
}

/// Runs a command that has to succeed.
///
/// - Throws: `CommandFailure` with what it said when the status is not 0.
@discardableResult
package func runSuccessfully(_ executable: String, _ arguments: [String], in folder: String? = nil)
  async throws -> CommandResult
{
  let result = try await run(executable, arguments, in: folder)
  guard result.status == 0 else {
    let line = ([executable] + arguments).joined(separator: " ")
    throw CommandFailure(description: "\(line)\nended with \(result.status):\n\(result.stderr)")
  }
  return result
}

/// The path of an executable of this package, as built for the tests that run.
///
/// - Throws: `CommandFailure` when it was not built.
package func productPath(_ name: String, file: StaticString = #filePath) throws -> String {
  var candidates: [String] = []
  if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
    candidates.append(URL(fileURLWithPath: own).deletingLastPathComponent().path)
  }
  var root = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
  while root.path != "/" {
    candidates.append(root.path + "/.build/debug")
    root.deleteLastPathComponent()
  }
  for candidate in candidates {
    let path = candidate + "/" + name
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isExecutableFile(atPath: path)
    {
      return path
    }
  }
  throw CommandFailure(description: "\(name) is not beside \(candidates.first ?? "the tests")")
}
