import Dispatch
import Glibc
import Synchronization

/// Ends connections on which no whole request comes: a byte now and then keeps one from being idle, but is no request.
final class RequestDeadlines: Sendable {
  private struct Wait {
    var socket: Int32
    /// Since when a request is waited for; `nil` while one is answered.
    var since: ContinuousClock.Instant?
    /// What must not be let go of while the connection is open.
    var certificate: RenewedCertificate?
  }

  /// The connections by their addresses, which are unique while they are open.
  private let connections = Mutex<[UInt: Wait]>([:])
  private let queue = DispatchQueue(label: "server-deadlines")

  /// Begins to look, a few times within `seconds`, who has waited for longer than that.
  func start(seconds: Int) {
    let step = max(0.1, Double(seconds) / 8)
    queue.asyncAfter(deadline: .now() + step) { [weak self] in
      self?.end(before: .now - .seconds(seconds))
      self?.start(seconds: seconds)
    }
  }

  /// A connection was opened.
  func open(_ connection: OpaquePointer, socket: Int32, _ certificate: RenewedCertificate?) {
    let key = UInt(bitPattern: connection)
    let wait = Wait(socket: socket, since: .now, certificate: certificate)
    connections.withLock { $0[key] = wait }
  }

  /// A whole request came.
  func meet(_ connection: OpaquePointer) {
    connections.withLock { $0[UInt(bitPattern: connection)]?.since = nil }
  }

  /// An answer was sent, the next request is waited for.
  func expect(_ connection: OpaquePointer) {
    connections.withLock { $0[UInt(bitPattern: connection)]?.since = .now }
  }

  /// A connection ends; its socket is still open.
  func close(_ connection: OpaquePointer) {
    _ = connections.withLock { $0.removeValue(forKey: UInt(bitPattern: connection)) }
  }

  private func end(before limit: ContinuousClock.Instant) {
    connections.withLock { connections in
      for (key, wait) in connections {
        guard let since = wait.since, since < limit else { continue }
        // Inside the lock: the number belongs to this connection until `close`. The daemon sees the end and does the rest.
        shutdown(wait.socket, Int32(SHUT_RDWR))
        connections[key]?.since = nil
      }
    }
  }
}
