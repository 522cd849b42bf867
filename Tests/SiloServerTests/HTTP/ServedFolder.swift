import Foundation
import SiloServer
import SiloTestSupport
import Synchronization

/// A folder of files behind a running server, and curl as its client.
final class ServedFolder: Sendable {
  let folder: TemporaryFolder
  let server: MediaServer
  private let records: Records

  private final class Records: Sendable {
    let all = Mutex<[RequestRecord]>([])
  }

  init(host: String = "127.0.0.1") async throws {
    folder = try TemporaryFolder()
    let records = Records()
    self.records = records
    server = try await MediaServer.start(
      MediaServer.Options(
        folder: folder.url, host: host,
        log: { record in records.all.withLock { $0.append(record) } }
      ))
  }

  /// Every request so far, in the order of the answers.
  var log: [RequestRecord] { records.all.withLock { $0 } }

  /// The address of a path that is escaped already.
  func url(_ path: String) -> String { server.url.absoluteString + path }

  /// What curl got.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Asks for `path` with curl and more of its arguments; the path is sent as it is.
  func get(_ path: String, _ arguments: String...) async throws -> Answer {
    let result = try await runSuccessfully(
      "curl", ["-s", "--path-as-is", "-m", "100", "-D", "/dev/stderr"] + arguments + [url(path)])
    let lines = String(decoding: result.errors, as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, headers: headers, body: result.output)
  }
}
