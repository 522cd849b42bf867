import Foundation
import Glibc
import SiloSystem
import Synchronization

/// A server on 127.0.0.1 that answers by script and remembers exactly what arrived.
final class WireServer: Sendable {
  struct Request: Sendable {
    var method: String
    var target: String
    var headers: [String: String]
    /// The number of the connection it came on, from 0.
    var connection: Int
    /// The number of the request at this server, from 0.
    var index: Int
  }

  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Sends only so many bytes of the body and closes.
    var cutAfter: Int?
    /// Leaves Content-Length out and closes at the end.
    var hidesLength = false
    /// Sends the body without a head, as no server of today does.
    var isBare = false
    /// Sends what `cutAfter` allows and then nothing until the client closes.
    var stalls = false

    static func ok(_ text: String, _ headers: [String: String] = [:]) -> Answer {
      Answer(headers: headers, body: Array(text.utf8))
    }

    static func redirect(_ location: String, _ status: Int = 302) -> Answer {
      Answer(status: status, headers: ["Location": location])
    }

    /// The part of `file` that the request asks for, as a server with ranges gives it.
    static func file(_ file: [UInt8], _ request: Request, tag: String = "\"1\"") -> Answer {
      let fields = ["ETag": tag, "Accept-Ranges": "bytes"]
      guard let range = request.headers["range"]?.dropFirst("bytes=".count) else {
        return Answer(headers: fields, body: file)
      }
      let ends = range.split(separator: "-", omittingEmptySubsequences: false)
      let start = Int(ends[0]) ?? 0
      guard start < file.count else {
        return Answer(status: 416, headers: ["Content-Range": "bytes */\(file.count)"])
      }
      let end = min(ends.count > 1 ? Int(ends[1]) ?? .max - 1 : .max - 1, file.count - 1)
      let place = ["Content-Range": "bytes \(start)-\(end)/\(file.count)"]
      return Answer(
        status: 206, headers: fields.merging(place) { $1 }, body: Array(file[start...end]))
    }
  }

  typealias Script = @Sendable (Request) -> Answer

  let port: Int
  private let listener: Int32
  private let log: Log

  /// What the threads of the server share; it outlives the server.
  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
    let connections = Mutex<[Int32?]>([])
    let hasEnded = Mutex(false)
  }

  /// Everything that arrived, in order.
  var requests: [Request] { log.requests.withLock { $0 } }
  /// How many connections were made.
  var connectionCount: Int { log.connections.withLock { $0.count } }
  /// The number of each connection that ends.
  let endedConnections: AsyncStream<Int>

  func url(_ path: String, host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
  }

  init(_ script: @escaping Script) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 512) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard code else { throw SystemCallError(call: "bind") }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    let log = Log()
    self.log = log
    let ended = AsyncStream<Int>.makeStream()
    endedConnections = ended.stream
    try startThread(named: "wire") {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, !log.hasEnded.withLock({ $0 }) else { return }
        let number = log.connections.withLock { connections in
          connections.append(connection)
          return connections.count - 1
        }
        try? startThread(named: "wire-\(number)") {
          Self.serve(connection, number, log, script)
          log.connections.withLock { $0[number] = nil }
          close(connection)
          ended.continuation.yield(number)
        }
      }
    }
  }

  deinit {
    log.hasEnded.withLock { $0 = true }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    log.connections.withLock { connections in
      for case .some(let connection) in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private static func serve(_ connection: Int32, _ number: Int, _ log: Log, _ script: Script) {
    while let request = read(connection, number, log) {
      let answer = script(request)
      var head = "HTTP/1.1 \(answer.status) X\r\n"
      for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
      if answer.hidesLength {
        head += "Connection: close\r\n"
      } else if answer.headers["Content-Length"] == nil {
        head += "Content-Length: \(answer.body.count)\r\n"
      }
      let isHead = request.method == "HEAD"
      let body = isHead ? [] : answer.body.prefix(answer.cutAfter ?? answer.body.count)
      guard send(connection, (answer.isBare ? [] : Array((head + "\r\n").utf8)) + body),
        !answer.isBare
      else { return }
      if answer.stalls {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
        return
      }
      if answer.cutAfter != nil || answer.hidesLength { return }
    }
  }

  private static func read(_ connection: Int32, _ number: Int, _ log: Log) -> Request? {
    var text = ""
    var byte: UInt8 = 0
    while !text.hasSuffix("\r\n\r\n") {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    let lines = text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    let first = lines[0].split(separator: " ")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[parts[0].lowercased()] =
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    return log.requests.withLock { requests in
      let request = Request(
        method: String(first[0]), target: String(first[1]), headers: headers, connection: number,
        index: requests.count)
      requests.append(request)
      return request
    }
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          connection, $0.baseAddress?.advanced(by: done), bytes.count - done,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
