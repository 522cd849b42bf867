import Glibc
import SiloSystem
import Synchronization

/// What a command has written to its standard output so far, as it comes through a named pipe.
///
/// Both sides open such a pipe by its name, so no other program that is started meanwhile inherits an end of it.
final class CommandOutput: Sendable {
  private struct Waiter {
    let isWanted: @Sendable (Substring) -> Bool
    let continuation: CheckedContinuation<String?, Never>
  }

  private struct State {
    var bytes: [UInt8] = []
    var hasEnded = false
    var waiters: [Waiter] = []
  }

  private let number: Int32
  private let state = Mutex(State())

  /// Makes the pipe `path` and opens it for reading; nobody writes yet.
  init(path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw SystemCallError(call: "mkfifo", path: path) }
    number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemCallError(call: "open", path: path) }
  }

  deinit { close(number) }

  /// Everything so far.
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// Takes what comes until nobody writes any more, on the calling thread; for after the command's start.
  func follow() {
    while !state.withLock({ $0.hasEnded }) {
      var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, -1) > 0 || errno == EINTR else { return }
      if take() { return }
    }
  }

  /// Takes what is left of a command that has ended; what its own children still write is nobody's.
  func finish() {
    _ = take()
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// The first whole line that is wanted, as soon as it is there; `nil` when the command ended without it.
  func line(where isWanted: @escaping @Sendable (Substring) -> Bool) async -> String? {
    await withCheckedContinuation { continuation in
      let (line, isOver): (String?, Bool) = state.withLock {
        let line = Self.line(in: $0.bytes, where: isWanted)
        let isOver = line != nil || $0.hasEnded
        if !isOver { $0.waiters.append(Waiter(isWanted: isWanted, continuation: continuation)) }
        return (line, isOver)
      }
      if isOver { continuation.resume(returning: line) }
    }
  }

  /// Reads what the pipe holds; true when it is empty and nobody can write into it.
  private func take() -> Bool {
    let (isOver, served) = state.withLock { state in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var count = read(number, &buffer, buffer.count)
      while count > 0 || (count < 0 && errno == EINTR) {
        if count > 0 { state.bytes += buffer[..<count] }
        count = read(number, &buffer, buffer.count)
      }
      var served: [(CheckedContinuation<String?, Never>, String)] = []
      state.waiters.removeAll { waiter in
        guard let line = Self.line(in: state.bytes, where: waiter.isWanted) else { return false }
        served.append((waiter.continuation, line))
        return true
      }
      return (count == 0, served)
    }
    for (continuation, line) in served { continuation.resume(returning: line) }
    return isOver
  }

  private static func line(in bytes: [UInt8], where isWanted: (Substring) -> Bool) -> String? {
    guard let end = bytes.lastIndex(of: 10) else { return nil }
    return String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
      .first(where: isWanted).map(String.init)
  }
}
