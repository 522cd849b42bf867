import Glibc

/// A TCP socket that listens; owned until the daemon takes it over.
struct ListeningSocket: ~Copyable {
  /// The descriptor.
  let descriptor: Int32
  /// The port that it is bound to.
  let port: UInt16
  /// Whether the address is an IPv6 one.
  let isIPv6: Bool

  private init(adopting descriptor: Int32, isIPv6: Bool) {
    self.descriptor = descriptor
    self.isIPv6 = isIPv6
    port = Self.boundPort(of: descriptor)
  }

  deinit { close(descriptor) }

  /// Gives the descriptor away, to whoever closes it.
  consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Listens on `host`, a name or a literal address, and `port`; 0 takes any free one.
  static func listen(host: String, port: UInt16) throws(ServerError) -> ListeningSocket {
    let subject = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
      throw ServerError(
        .config, "This address is not known; give an address of this machine.", subject: subject)
    }
    defer { freeaddrinfo(found) }
    let family = first.pointee.ai_family
    let descriptor = socket(
      family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure(errno, subject: subject) }
    var on: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
      Glibc.listen(descriptor, 128) == 0
    else {
      let code = errno
      close(descriptor)
      throw failure(code, subject: subject)
    }
    return ListeningSocket(adopting: descriptor, isIPv6: family == AF_INET6)
  }

  private static func failure(_ code: Int32, subject: String) -> ServerError {
    let message =
      switch code {
      case EADDRINUSE: "The port is in use; choose another one, or 0 for any free port."
      case EACCES: "Listening on this port is not allowed; choose one above 1023."
      case EADDRNOTAVAIL: "This machine does not have this address."
      default: "Listening failed: \(String(cString: strerror(code)))."
      }
    return ServerError(.config, message, subject: subject)
  }

  private static func boundPort(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { return 0 }
    return withUnsafeBytes(of: storage) { bytes in
      // Both address families keep the port, in network order, behind the two bytes of the family.
      UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }
}
