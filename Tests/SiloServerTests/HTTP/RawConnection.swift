import Glibc
import SiloSystem

/// A connection to the loopback on which a test says whatever it likes.
final class RawConnection: Sendable {
  /// What came, and how it ended.
  struct Heard: Sendable {
    var bytes: [UInt8]
    /// Whether the server ended the connection; false when nothing more came for a while.
    var isClosed: Bool
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The status of each answer: what follows `HTTP/1.1 `.
    var statuses: [Int] {
      text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap {
        Int($0.prefix(3))
      }
    }
  }

  private let number: Int32

  /// Connects to `port`; blocks.
  init(port: UInt16) throws {
    number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let number = number
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw SystemCallError(call: "connect") }
  }

  deinit { close(number) }

  /// Sends what it can; a server that hangs up meanwhile is no error.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Hears what comes next, at most 64 KiB of it; blocks.
  func hearSome() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    _ = recv(number, &buffer, buffer.count, 0)
  }

  /// Hears until the server ends the connection, or until nothing came for `quiet`; blocks.
  func hear(quiet: Duration = .seconds(20), until: String? = nil) -> Heard {
    var heard = Heard(bytes: [], isClosed: false)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let until, heard.text.contains(until) { return heard }
      var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(quiet.seconds * 1000)) > 0 else { return heard }
      let count = recv(number, &buffer, buffer.count, 0)
      guard count > 0 else {
        heard.isClosed = true
        return heard
      }
      heard.bytes += buffer[..<count]
    }
  }
}
