import Glibc
import SiloSystem
import Synchronization

/// A TCP socket of the fault server; closed with its last reference.
///
/// Never blocks past the server's end.
final class FaultSocket: Sendable {
  /// Tells every thread of a server that it ends: a pipe whose writing side closes.
  final class Ending: Sendable {
    let reader: Int32
    private let writer: Mutex<Int32?>

    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw SystemCallError(call: "pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reader = ends[0]
      writer = Mutex(ends[1])
    }

    deinit {
      begin()
      close(reader)
    }

    func begin() {
      let closing = writer.withLock { (writer: inout Int32?) -> Int32? in
        defer { writer = nil }
        return writer
      }
      if let closing { close(closing) }
    }
  }

  /// POLLRDHUP, which glibc shows only to programs that define _GNU_SOURCE.
  private let peerHungUp: Int16 = 0x2000
  private let number: Int32

  private init(adopting number: Int32) { self.number = number }

  deinit { close(number) }

  /// A socket that listens on a numeric address, and the port; 0 takes a free one.
  static func listening(on address: String, port: UInt16) throws -> (FaultSocket, UInt16) {
    let family = address.contains(":") ? AF_INET6 : AF_INET
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(family, flags | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw SystemCallError(call: "socket") }
    let socket = FaultSocket(adopting: number)
    var place = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &place) { pointer -> Int32 in
      let raw = UnsafeMutableRawPointer(pointer)
      // Port and address lie where sockaddr_in and sockaddr_in6 have them, both in the order of the network.
      raw.storeBytes(of: sa_family_t(family), as: sa_family_t.self)
      raw.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
      guard inet_pton(family, address, raw + (family == AF_INET ? 4 : 8)) == 1 else { return -1 }
      return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let size =
          family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return Glibc.bind(number, $0, socklen_t(size)) | Glibc.listen(number, 256)
          | getsockname(number, $0, &length)
      }
    }
    guard code == 0 else { throw SystemCallError(call: "bind", path: "\(address):\(port)") }
    let chosen = withUnsafeBytes(of: &place) {
      $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    }
    return (socket, UInt16(bigEndian: chosen))
  }

  /// The next connection, or `nil` once the server ends.
  func accepted(until ending: Ending) -> FaultSocket? {
    while wait(for: POLLIN, until: ending) {
      let accepted = Glibc.accept(number, nil, nil)
      if accepted >= 0 {
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(
          accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return FaultSocket(adopting: accepted)
      }
    }
    return nil
  }

  /// Some bytes; empty at the peer's end, on an error, and once the server ends.
  func received(until ending: Ending) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while wait(for: POLLIN, until: ending) {
      let count = recv(number, &buffer, buffer.count, 0)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 || (errno != EAGAIN && errno != EINTR) { return [] }
    }
    return []
  }

  /// Sends all bytes; false when the peer is gone or the server ends.
  func send(_ bytes: ArraySlice<UInt8>, until ending: Ending) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard wait(for: POLLOUT, until: ending) else { return false }
      let count = rest.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN && errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Waits for a time; false when the peer hangs up or the server ends meanwhile.
  func rest(for time: Duration, until ending: Ending) -> Bool {
    let end = ContinuousClock.now + time
    while true {
      let left = end - ContinuousClock.now
      guard left > .zero else { return true }
      var polled = [
        pollfd(fd: number, events: peerHungUp, revents: 0),
        pollfd(fd: ending.reader, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, Int32(min(600_000, max(1, left.seconds * 1000))))
      if count > 0 && polled.contains(where: { $0.revents != 0 }) { return false }
    }
  }

  /// Ends the connection with a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Says that no more is sent and takes what the peer still sends, so that the end arrives as an end and no reset.
  func finish(until ending: Ending) {
    shutdown(number, Int32(SHUT_WR))
    for _ in 0..<64 where !received(until: ending).isEmpty {}
  }

  private func wait(for event: Int32, until ending: Ending) -> Bool {
    while true {
      // On the stack: a server's thread may still wait when the tests are over, and what it holds would count as a leak.
      var polled: InlineArray<2, pollfd> = [
        pollfd(fd: number, events: Int16(event), revents: 0),
        pollfd(fd: ending.reader, events: Int16(POLLIN), revents: 0),
      ]
      var span = polled.mutableSpan
      let count = span.withUnsafeMutableBufferPointer { poll($0.baseAddress, 2, -1) }
      if count < 0 && errno != EINTR { return false }
      if polled[1].revents != 0 { return false }
      if polled[0].revents != 0 { return true }
    }
  }
}
