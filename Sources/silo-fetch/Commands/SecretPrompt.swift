import Glibc
import SiloDownloads
import SiloSystem

/// Asks on the terminal for what nobody should see.
///
/// getpass(3) takes Ctrl-C for a letter; here the terminal goes on to send signals, and is as it was whatever ends the wait.
enum SecretPrompt {
  /// The longest line that is taken, in bytes.
  private static let longest = 4096

  /// The line that a person types at `prompt`, without its end; waits on a thread of its own.
  ///
  /// - Throws: `DownloadError.auth` without a terminal or without a line, `CancellationError` when the task is cancelled.
  static func ask(_ prompt: String) async throws -> String {
    try await onOwnThread(named: "password") { flag in
      guard let terminal = try? OwnedDescriptor.open("/dev/tty", .update) else { throw nothing }
      var usual = termios()
      guard tcgetattr(terminal.number, &usual) == 0 else { throw nothing }
      var quiet = usual
      quiet.c_lflag = quiet.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL | ICANON | ISIG)
      guard tcsetattr(terminal.number, TCSAFLUSH, &quiet) == 0 else { throw nothing }
      defer { tcsetattr(terminal.number, TCSANOW, &usual) }
      write(terminal.number, prompt)
      do {
        let line = try line(from: terminal.number, flag)
        guard !line.isEmpty else { throw nothing }
        return String(decoding: line, as: UTF8.self)
      } catch let error as CancellationError {
        // The shell's next prompt begins a line of its own.
        write(terminal.number, "\n")
        throw error
      }
    }
  }

  private static var nothing: DownloadError {
    DownloadError(.auth, "No password was typed: give it with --password-stdin.")
  }

  /// The bytes of one line; none at the end of the input.
  private static func line(from terminal: Int32, _ flag: CancellationFlag) throws -> [UInt8] {
    var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    var bytes: [UInt8] = []
    while bytes.count < longest {
      try flag.check()
      guard poll(&wait, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    return bytes
  }

  private static func write(_ terminal: Int32, _ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }
}
