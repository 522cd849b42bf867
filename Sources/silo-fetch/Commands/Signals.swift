import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, waited for by the main thread instead of handlers.
final class Signals: Sendable {
  private struct State {
    var first: Int32?
    var hangUp: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let taken: [Int32]

  /// Blocks the signals in this thread and in those that it starts: call it before there are others.
  init() {
    var taken = [SIGINT, SIGTERM]
    // nohup ignores the hang-up: that stays so.
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1 {
      taken.append(SIGHUP)
    }
    self.taken = taken
    var set = Self.set(taken)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A peer that closes a connection is an error of that connection, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    // A file above `ulimit -f` is an error of that file (EFBIG), too.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Waits on this thread for signals, and cancels `task` at the first.
  ///
  /// The second ends the process, and so does a task other than a server's that needs longer than a second to stop.
  /// Otherwise the task ends the process when it is done.
  func wait(cancelling task: Task<Never, Never>) -> Never {
    var signal = next(within: nil)
    while signal == SIGHUP, let action = state.withLock({ $0.hangUp }) {
      action()
      signal = next(within: nil)
    }
    let first = signal ?? SIGTERM
    let isServer = state.withLock { state in
      state.first = first
      return state.hangUp != nil
    }
    task.cancel()
    if next(within: isServer ? nil : .milliseconds(850)) == nil {
      TextSink.standardError.line("stopped; the same command continues from here")
    }
    _exit(128 + first)
  }

  /// Gives the hang-up a meaning; without one it ends the program.
  func setHangUp(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.hangUp = action }
  }

  /// The status of the process for `code`: 130 after Ctrl-C, 143 after SIGTERM.
  func status(for code: ExitCode) -> Int32 {
    guard code == .interrupted, let first = state.withLock({ $0.first }) else { return code.status }
    return 128 + first
  }

  /// Ends the process as the signal does that a reader who goes away sends.
  static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    var set = set([SIGPIPE])
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(SIGPIPE)
    _exit(ExitCode.readerGone.status)
  }

  private func next(within limit: Duration?) -> Int32? {
    var set = Self.set(taken)
    while true {
      let signal: Int32
      if let limit {
        var time = timespec(tv_sec: 0, tv_nsec: Int(limit / .nanoseconds(1)))
        signal = sigtimedwait(&set, nil, &time)
      } else {
        signal = sigwaitinfo(&set, nil)
      }
      if signal > 0 { return signal }
      if errno != EINTR { return nil }
    }
  }

  private static func set(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
