import Glibc
import SiloSystem

/// A client that asks for a file, reads the start of the answer, and then nothing more while it lives.
final class SlowReader: Sendable {
  /// The status line that it got.
  let firstLine: String
  private let number: Int32

  /// Asks the server at `port` of the loopback for `path`; blocks until the answer begins.
  init(port: UInt16, path: String) throws {
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
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    var start = [UInt8](repeating: 0, count: 64)
    guard connected == 0, send(number, request, request.count, Int32(MSG_NOSIGNAL)) > 0,
      case let count = recv(number, &start, start.count, 0), count > 0
    else {
      firstLine = ""
      throw SystemCallError(call: "connect")
    }
    firstLine = String(decoding: start[..<count].prefix { $0 != 13 }, as: UTF8.self)
  }

  deinit { close(number) }
}
