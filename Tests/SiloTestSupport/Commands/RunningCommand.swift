import Dispatch
import Foundation
package import Glibc
import SiloSystem
import Synchronization

/// A command that runs: it can be signalled, watched through its output so far, and waited for.
package final class RunningCommand: Sendable {
  /// The process.
  package let process: pid_t
  private let folder: TemporaryFolder
  private let output: CommandOutput
  private let ending = Mutex<Ending>(.running([]))

  private enum Ending {
    case running([CheckedContinuation<Int32, Never>])
    case ended(Int32)
  }

  /// Starts a command; see `run` for the parameters.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String?] = [:],
    input: String = "", in workingFolder: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    try folder.write("in", input)
    output = try CommandOutput(path: folder.path("out"))
    process = try Self.spawn(
      executable, arguments, environment: environment, streams: folder, in: workingFolder)
    let process = process
    let output = output
    try startThread(named: "output") { output.follow() }
    // The thread keeps the object alive until the process is reaped, so no zombie remains.
    try startThread(named: "wait") { [self] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      output.finish()
      let signal = status & 0x7f
      end(signal == 0 ? (status >> 8) & 0xff : 128 + signal)
    }
  }

  /// What it wrote to its standard output so far.
  package var outputSoFar: String { String(decoding: output.bytes, as: UTF8.self) }
  /// What it wrote to its standard error so far.
  package var errorsSoFar: String {
    String(decoding: (try? folder.read("err")) ?? [], as: UTF8.self)
  }

  /// Waits for the first whole line of its standard output that is wanted.
  ///
  /// - Throws: `CommandFailure` with what it said instead when it ended without such a line.
  package func line(
    where isWanted: @escaping @Sendable (Substring) -> Bool = { _ in true }
  ) async throws -> String {
    if let line = await output.line(where: isWanted) { return line }
    throw CommandFailure(description: "No such line: \(outputSoFar)\(errorsSoFar)")
  }

  /// Sends a signal, unless it has ended.
  package func signal(_ number: Int32) {
    ending.withLock { if case .running = $0 { _ = kill(process, number) } }
  }

  /// Waits for its end.
  ///
  /// - Parameter timeout: After that long it is killed.
  package func result(timeout: Duration = .seconds(120)) async throws -> CommandResult {
    let seconds = Double(timeout.components.seconds)
    let alarm = DispatchWorkItem { [weak self] in self?.signal(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: alarm)
    let status = await withCheckedContinuation { (waiter: CheckedContinuation<Int32, Never>) in
      let ended: Int32? = ending.withLock {
        switch $0 {
        case .ended(let status): return status
        case .running(let waiters):
          $0 = .running(waiters + [waiter])
          return nil
        }
      }
      if let ended { waiter.resume(returning: ended) }
    }
    alarm.cancel()
    return CommandResult(
      status: status, output: output.bytes, errors: try folder.read("err"))
  }

  private func end(_ status: Int32) {
    let waiters = ending.withLock {
      guard case .running(let waiters) = $0 else { return [CheckedContinuation<Int32, Never>]() }
      $0 = .ended(status)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: status) }
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], environment: [String: String?],
    streams: TemporaryFolder, in workingFolder: String?
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let write = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, streams.path("in"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, streams.path("out"), O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, streams.path("err"), write, 0o600)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    // glibc shows its own way to change the folder only to programs that define _GNU_SOURCE.
    var moved = workingFolder.map { ["env", "-C", $0] } ?? []
    // A library that was built for the command, with a sanitizer perhaps, is not for `env`.
    if !moved.isEmpty, let library = variables.removeValue(forKey: "LD_PRELOAD") {
      moved.append("LD_PRELOAD=\(library)")
    }
    let line = moved + [executable] + arguments
    var argv = line.map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process = pid_t()
    let code = posix_spawnp(&process, line[0], &actions, &attributes, &argv, &envp)
    guard code == 0 else {
      throw SystemCallError(call: "posix_spawn", errno: code, path: executable)
    }
    return process
  }
}
