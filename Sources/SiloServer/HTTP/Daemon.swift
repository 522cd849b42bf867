import CMicroHTTPD
import Glibc
import Synchronization

/// The running libmicrohttpd daemon: a fixed pool of threads, each with its own epoll set.
///
/// Connections never have a thread of their own. A request whose answer is being worked out is suspended and costs
/// no thread; idle and slow connections are closed after `idleSeconds`, such as send no whole request after
/// `requestSeconds`, and their number and memory are limited.
struct Daemon: ~Copyable {
  /// The limits of a daemon.
  struct Limits: Sendable {
    var threads: UInt32 = 4
    var connections: UInt32 = 512
    var idleSeconds: UInt32 = 30
    var requestSeconds = 60
    /// Twice what a header may have: what is a little too long is refused by the program, in its own form, and only what is
    /// much too long by the daemon.
    var bytesPerConnection = 2 * Exchanges.headerLimit
  }

  private let handle: OpaquePointer
  private let exchanges: Exchanges

  private init(adopting handle: OpaquePointer, exchanges: Exchanges) {
    self.handle = handle
    self.exchanges = exchanges
  }

  /// Serves `exchanges` on `socket`, which the daemon owns from now on.
  static func start(
    on socket: consuming ListeningSocket, exchanges: Exchanges, limits: Limits = Limits(),
    certificate: ServerCertificate? = nil
  ) throws(ServerError) -> Daemon {
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | (socket.isIPv6 ? MHD_USE_IPv6.rawValue : 0)
    let descriptor = socket.release()
    let handle = silo_mhd_start(
      flags, descriptor,
      { cls, connection, url, method, _, upload, uploadSize, context in
        guard let cls, let connection, let context else { return .NO }
        let exchanges = Unmanaged<Exchanges>.fromOpaque(cls).takeUnretainedValue()
        return exchanges.proceed(
          on: connection, url: url, method: method, upload: upload, uploadSize: uploadSize,
          context: context)
      },
      { cls, connection, context, ending in
        if let cls, let connection {
          Unmanaged<Exchanges>.fromOpaque(cls).takeUnretainedValue().deadlines.expect(connection)
        }
        guard let context, let raw = context.pointee else { return }
        context.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue()
        exchange.answer.withLock { $0?.onEnd }?(ending == .REQUEST_TERMINATED_COMPLETED_OK)
      },
      { cls, connection, _, happening in
        guard let cls, let connection else { return }
        let exchanges = Unmanaged<Exchanges>.fromOpaque(cls).takeUnretainedValue()
        exchanges.note(happening, on: connection)
      },
      Unmanaged.passUnretained(exchanges).toOpaque(), limits.threads, limits.connections,
      limits.idleSeconds, limits.bytesPerConnection, certificate?.chain, certificate?.key)
    exchanges.deadlines.start(seconds: limits.requestSeconds)
    guard let handle else {
      close(descriptor)
      throw ServerError(
        .config, "The HTTP server did not start; is the limit of open files too low?",
        subject: "server")
    }
    return Daemon(adopting: handle, exchanges: exchanges)
  }

  deinit {
    // The daemon must not be stopped while a connection is suspended: no new ones, then wait for the last.
    let descriptor = MHD_quiesce_daemon(handle)
    exchanges.closeAndDrain()
    MHD_stop_daemon(handle)
    if descriptor >= 0 { close(descriptor) }
  }
}
