import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem

/// The command of `--on-complete`: values go into its environment, never into its text.
struct CompletionHook: Sendable {
  /// What `sh -c` is given.
  let command: String

  /// A hook that runs `command`.
  init(_ command: String) { self.command = command }

  /// The variables that describe `download`.
  static func variables(_ download: FinishedDownload, _ item: GetItem) -> [String: String] {
    let audio = download.inventory.audio.sorted { $0.isDefault && !$1.isDefault }
      .map { $0.language?.description ?? "und" }
    return [
      "SILO_PATH": download.path.standardizedFileURL.pathText,
      "SILO_ID": item.id, "SILO_SOURCE": SourceName.full(item.source),
      "SILO_BYTES": "\(download.byteCount)", "SILO_SHA256": download.sha256,
      "SILO_AUDIO": audio.joined(separator: ","),
    ]
  }

  /// Runs the command to its end and returns its exit status; its stdout goes to stderr, its stdin is empty.
  func run(
    _ download: FinishedDownload, _ item: GetItem, environment: [String: String]
  ) async throws -> Int32 {
    let all = environment.merging(Self.variables(download, item)) { $1 }
    let command = command
    return try await onOwnThread(named: "on-complete") { _ in
      try Self.spawn(command, environment: all)
    }
  }

  private static func spawn(_ command: String, environment: [String: String]) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process blocks and ignores signals that a shell expects to work.
    var none = sigset_t()
    sigemptyset(&none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let words = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child = pid_t()
    let code = posix_spawn(&child, "/bin/sh", &actions, &attributes, words, variables)
    guard code == 0 else { throw SystemCallError(call: "posix_spawn", errno: code) }
    return try wait(for: child)
  }

  private static func wait(for child: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemCallError(call: "waitpid", errno: errno) }
    }
    // The shell's own convention: 128 and the signal.
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
