import Foundation
import Synchronization

/// Where text goes: stdout, stderr, or a test's memory.
struct TextSink: Sendable {
  private let writing: @Sendable (String) -> Void
  private let failing: @Sendable () -> Int32?

  /// A sink that calls `writing` for each piece; pieces of one call are never mixed with others.
  ///
  /// - Parameter failing: The `errno` of the first piece that could not be written; from then on nothing is.
  init(
    _ writing: @escaping @Sendable (String) -> Void,
    failing: @escaping @Sendable () -> Int32? = { nil }
  ) {
    self.writing = writing
    self.failing = failing
  }

  /// Writes `text` as it is.
  func write(_ text: String) { writing(text) }

  /// Writes `text` and the end of the line.
  func line(_ text: String) { writing(text + "\n") }

  /// The `errno` of what could not be written; `nil` while everything could.
  var failure: Int32? { failing() }

  /// Standard output; after the first failure nothing is written there any more.
  static let standardOutput = TextSink(
    { text in
      firstFailure.withLock { failure in
        if failure == nil { failure = Descriptor.write(text, to: STDOUT_FILENO) }
      }
    }, failing: { firstFailure.withLock { $0 } })

  private static let firstFailure = Mutex<Int32?>(nil)

  /// Standard error; what cannot be written there is lost.
  static let standardError = TextSink { text in _ = Descriptor.write(text, to: STDERR_FILENO) }

  private enum Descriptor {
    /// One writer at a time, so that lines of two items do not mix in a pipe.
    private static let turn = Mutex(())

    /// Writes all of `text`; the `errno` when that fails.
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
      turn.withLock { _ in
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
          var offset = 0
          while offset < buffer.count {
            let written = Foundation.write(
              descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]).baseAddress,
              buffer.count - offset)
            if written < 0 {
              if errno == EINTR { continue }
              guard errno == EAGAIN else { return errno }
              // Somebody else made the pipe one that does not wait.
              var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
              poll(&room, 1, -1)
              continue
            }
            offset += written
          }
          return nil
        }
      }
    }
  }
}
