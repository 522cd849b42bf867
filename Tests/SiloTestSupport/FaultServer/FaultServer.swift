import Dispatch
import Foundation
import Glibc
import SiloSystem
import Synchronization

/// An HTTP/1.1 server on the loopback that does as it is told, faults included, and records what it was asked.
///
/// It serves a folder or bytes soundly, and whatever is scripted per path and per request. It lives on threads of its
/// own, so a test may block, and stops with its last reference.
package final class FaultServer: Sendable {
  /// Answers the n-th request (from 1) for one path.
  package typealias Script = @Sendable (_ request: FaultRequest, _ n: Int) -> FaultAnswer

  private let desk: FaultDesk
  private let address: String

  /// Starts on a free port of 127.0.0.1, or of another address of the loopback, or on a certain port of it.
  package init(address: String = "127.0.0.1", port: UInt16 = 0) throws {
    self.address = address
    let (listener, port) = try FaultSocket.listening(on: address, port: port)
    desk = try FaultDesk(port: port)
    let desk = desk
    try startThread(named: "fault-accept") { desk.accept(from: listener) }
  }

  deinit { desk.stop() }

  /// The port that it listens on.
  package var port: UInt16 { desk.port }

  /// The URL of a path; `localhost` is another host than 127.0.0.1 to a client.
  package func url(_ path: String = "/", host: String? = nil) -> String {
    let own = address.contains(":") ? "[\(address)]" : address
    return "http://\(host ?? own):\(port)\(path.hasPrefix("/") ? "" : "/")\(path)"
  }

  /// Serves what is in a folder, below a prefix.
  package func serve(_ folder: String, at prefix: String = "/") {
    desk.state.withLock {
      $0.folders.append((prefix.hasSuffix("/") ? prefix : prefix + "/", folder))
    }
  }

  /// Serves bytes at a path; again to change them: their ETag changes with them.
  package func serve(_ bytes: [UInt8], at path: String) {
    desk.state.withLock { $0.resources[path] = bytes }
  }

  /// Scripts the answers for a path.
  package func on(_ path: String, _ script: @escaping Script) {
    desk.state.withLock { $0.scripts[path] = script }
  }

  /// Scripts the answers for all paths without a script of their own.
  package func onOthers(_ script: @escaping Script) {
    desk.state.withLock { $0.fallback = script }
  }

  /// Every request so far, in order of arrival.
  package var requests: [FaultRequest] { desk.state.withLock { $0.requests } }

  /// The requests for one path so far.
  package func requests(for path: String) -> [FaultRequest] { requests.filter { $0.path == path } }

  /// Waits until the record of requests is as wanted; asked again after every change of it.
  package func until(_ isWanted: @escaping @Sendable ([FaultRequest]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isThere = desk.state.withLock {
        let isThere = isWanted($0.requests)
        if !isThere { $0.waiters.append((isWanted, { continuation.resume() })) }
        return isThere
      }
      if isThere { continuation.resume() }
    }
  }

  /// Acts on the server's thread as soon as the record of requests is as wanted: at once, however busy the tests are.
  package func when(
    _ isWanted: @escaping @Sendable ([FaultRequest]) -> Bool,
    act: @escaping @Sendable () -> Void
  ) {
    let isThere = desk.state.withLock {
      let isThere = isWanted($0.requests)
      if !isThere { $0.waiters.append((isWanted, act)) }
      return isThere
    }
    if isThere { act() }
  }

  /// Forgets the requests so far; the numbers that scripts are given start again.
  package func forgetRequests() {
    desk.state.withLock {
      $0.requests = []
      $0.forgotten += 1
      $0.counts = [:]
    }
  }

  /// The most connections that were open at one time.
  package var mostConnections: Int { desk.state.withLock { $0.mostConnections } }

  /// The number of connections that were made.
  package var connectionCount: Int { desk.state.withLock { $0.connectionCount } }

  /// Closes every connection, ends every stall, refuses new connections.
  package func stop() { desk.stop() }
}

/// What the threads of one fault server share.
final class FaultDesk: Sendable {
  struct State: Sendable {
    var folders: [(prefix: String, folder: String)] = []
    var resources: [String: [UInt8]] = [:]
    var scripts: [String: FaultServer.Script] = [:]
    var fallback: FaultServer.Script?
    var requests: [FaultRequest] = []
    var forgotten = 0
    var counts: [String: Int] = [:]
    var connectionCount = 0
    var openConnections = 0
    var mostConnections = 0
    var waiters: [Waiter] = []
  }

  /// Somebody who waits for the record to be as wanted.
  typealias Waiter = (
    isWanted: @Sendable ([FaultRequest]) -> Bool, resume: @Sendable () -> Void
  )

  /// The place of a request in the record.
  struct Ticket: Sendable {
    let index: Int
    let generation: Int
  }

  static let mostThreads = 256

  let port: UInt16
  let state = Mutex(State())
  let ending: FaultSocket.Ending
  private let start = ContinuousClock.now

  init(port: UInt16) throws {
    self.port = port
    ending = try FaultSocket.Ending()
  }

  var age: Duration { ContinuousClock.now - start }

  func stop() { ending.begin() }

  func accept(from listener: FaultSocket) {
    while let socket = listener.accepted(until: ending) {
      let number: Int? = state.withLock {
        guard $0.openConnections < Self.mostThreads else { return nil }
        $0.openConnections += 1
        $0.mostConnections = max($0.mostConnections, $0.openConnections)
        $0.connectionCount += 1
        return $0.connectionCount - 1
      }
      guard let number else { continue }
      let isStarted: Void? = try? startThread(named: "fault-\(number)") {
        FaultConnection(desk: self, socket: socket, number: number).serve()
        self.state.withLock { $0.openConnections -= 1 }
      }
      if isStarted == nil { state.withLock { $0.openConnections -= 1 } }
    }
  }

  /// Records a request and decides on its answer.
  func answer(to request: FaultRequest) -> (FaultAnswer, Ticket) {
    let (script, n, ticket) = state.withLock {
      $0.requests.append(request)
      let n = $0.counts[request.path, default: 0] + 1
      $0.counts[request.path] = n
      let ticket = Ticket(index: $0.requests.count - 1, generation: $0.forgotten)
      return ($0.scripts[request.path] ?? $0.fallback, n, ticket)
    }
    wake()
    return (script?(request, n) ?? .served, ticket)
  }

  private func wake() {
    let served = state.withLock { state in
      let served = state.waiters.filter { $0.isWanted(state.requests) }
      if !served.isEmpty { state.waiters.removeAll { $0.isWanted(state.requests) } }
      return served
    }
    for waiter in served { waiter.resume() }
  }

  /// Blocks the calling thread until so many requests for `path` are recorded; false after a minute without them.
  func waitForRequests(_ count: Int, for path: String) -> Bool {
    let isWanted = { @Sendable (requests: [FaultRequest]) in
      requests.count { $0.path == path } >= count
    }
    let semaphore = DispatchSemaphore(value: 0)
    let isThere = state.withLock { state in
      let isThere = isWanted(state.requests)
      if !isThere { state.waiters.append((isWanted, { semaphore.signal() })) }
      return isThere
    }
    return isThere || semaphore.wait(timeout: .now() + 60) == .success
  }

  func note(_ ticket: Ticket, _ change: (inout FaultRequest) -> Void) {
    state.withLock {
      if $0.forgotten == ticket.generation { change(&$0.requests[ticket.index]) }
    }
    wake()
  }

  /// What is served soundly at a path: bytes, or the path of a file.
  func resource(at path: String) -> FaultAnswer.Body {
    let (bytes, folders) = state.withLock { ($0.resources[path], $0.folders) }
    if let bytes { return .bytes(bytes) }
    for (prefix, folder) in folders.reversed() where path.hasPrefix(prefix) {
      guard let name = path.dropFirst(prefix.count).removingPercentEncoding,
        !name.split(separator: "/").contains("..")
      else { continue }
      var isFolder: ObjCBool = false
      let file = folder + "/" + name
      if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue {
        return .file(file)
      }
    }
    return .none
  }
}
