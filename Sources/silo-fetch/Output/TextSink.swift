import Foundation
import Synchronization

/// Where text goes: stdout, stderr, or a test's memory.
struct TextSink: Sendable {
  private let writing: @Sendable (String) -> Void

  /// A sink that calls `writing` for each piece; pieces of one call are never mixed with others.
  init(_ writing: @escaping @Sendable (String) -> Void) { self.writing = writing }

  /// Writes `text` as it is.
  func write(_ text: String) { writing(text) }

  /// Writes `text` and the end of the line.
  func line(_ text: String) { writing(text + "\n") }

  /// Standard output; a reader that went away ends the program as SIGPIPE would, without a message.
  static let standardOutput = TextSink { text in
    if !Descriptor.write(text, to: STDOUT_FILENO), errno == EPIPE {
      signal(SIGPIPE, SIG_DFL)
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGPIPE)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      raise(SIGPIPE)
    }
  }

  /// Standard error; what cannot be written there is lost.
  static let standardError = TextSink { text in _ = Descriptor.write(text, to: STDERR_FILENO) }

  private enum Descriptor {
    /// One writer at a time, so that lines of two items do not mix in a pipe.
    private static let turn = Mutex(())

    static func write(_ text: String, to descriptor: Int32) -> Bool {
      turn.withLock { _ in
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
          var offset = 0
          while offset < buffer.count {
            let written = Foundation.write(
              descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]).baseAddress,
              buffer.count - offset)
            if written < 0 {
              if errno == EINTR || errno == EAGAIN { continue }
              return false
            }
            offset += written
          }
          return true
        }
      }
    }
  }
}
