import Foundation
package import Synchronization

/// The registry of downloads of a Silo server, on the fault server: whose rows they are is looked at on every call, and a test
/// changes files, revisions and statuses at will.
///
/// Two accounts, `sa_ada` and `sa_bob` by key, or `ada` and `bob` by password, with the profiles `p-NAME-1` and `p-NAME-2`.
package final class ScriptedRows: Sendable {
  /// One registered download.
  package struct Row: Sendable {
    /// What the server calls it.
    package let id: String
    /// Whose it is: account, profile, device.
    package let owner: [String]
    /// What it is of.
    package let content: String
    /// The episode; `nil` of a film.
    package let episode: String?
    /// The version.
    package var file: Int
    /// Rises with every other target.
    package var revision = 1
    /// Where it is in its life.
    package var status = "ready"
    /// The batch that it was registered with.
    package var batch: String?
    /// What was asked for.
    package var quality = "original"
    var byteCount = 0
  }

  /// One file.
  package struct Version: Sendable {
    /// Its bytes.
    package var bytes: [UInt8]
    /// The languages of its audio tracks.
    package var languages: [String]
    /// What the manifest says of its length; `nil` is the truth.
    package var toldByteCount: Int?
    /// What the manifest says of its hash.
    package var hash: String?

    /// A file of `bytes`.
    package init(_ bytes: [UInt8], languages: [String] = ["tr", "en", "de", "ja", "en", "en"]) {
      (self.bytes, self.languages) = (bytes, languages)
    }
  }

  /// What the server knows.
  package struct State: Sendable {
    /// Files by their numbers.
    package var versions: [Int: Version] = [:]
    /// The files of films and episodes by their ids, best first.
    package var items: [String: [Int]] = [:]
    /// Episodes by their series, in order.
    package var series: [String: [String]] = [:]
    /// All rows, by their ids.
    package var rows: [String: Row] = [:]
    /// What is answered in place of a file; `nil` serves it.
    package var fileAnswer:
      (@Sendable (_ row: Row, _ request: FaultRequest, _ n: Int) -> FaultAnswer?)?
    /// The status that new rows have.
    package var firstStatus = "ready"
    /// Done when the rows are listed, before the answer.
    package var onList: (@Sendable (inout State) -> Void)?
    /// Done when something is registered, before that.
    package var onRegister: (@Sendable (inout State) -> Void)?
    /// Whether every `PATCH` and `DELETE` fails.
    package var isDeaf = false
    /// Whether a season is refused as too many at once.
    package var refusesBatches = false
    /// Whether nothing but originals is to be had.
    package var refusesQualities = false
    /// The access tokens of accounts that signed in by password.
    package var tokens: [String: String] = [:]
    /// How often tokens were renewed.
    package var renewals = 0
    /// The id that was given last; the first one is 1001.
    package internal(set) var lastID = 1000
    var fileRequests: [String: Int] = [:]
  }

  /// The server.
  package let server: FaultServer
  /// What it knows.
  package let state = Mutex(State())

  /// Starts a server that has nothing.
  package init() throws {
    server = try FaultServer()
    server.onOthers { [weak self] request, _ in self?.answer(request) ?? .status(500) }
  }

  /// The server's address.
  package var url: String { String(server.url("").dropLast()) }

  /// The rows, the oldest first.
  package var rows: [Row] {
    state.withLock { $0.rows.values.sorted { Int($0.id) ?? 0 < Int($1.id) ?? 0 } }
  }

  /// A film with one file.
  package func addFilm(_ id: String, file: Int, _ version: Version) {
    state.withLock {
      $0.versions[file] = version
      $0.items[id, default: []].append(file)
    }
  }

  /// Episodes of one season with a file each: `ID-1`, `ID-2`, and so on.
  package func addSeries(_ id: String, episodes: [Version]) {
    for (index, version) in episodes.enumerated() {
      addFilm("\(id)-\(index + 1)", file: 100 + index, version)
    }
    state.withLock { $0.series[id] = (1...episodes.count).map { "\(id)-\($0)" } }
  }

  /// The source's file is another one, and the server knows it: the rows of it get their next revision when asked for again.
  package func replace(file: Int, by version: Version) {
    state.withLock { $0.versions[file] = version }
  }

  /// The access tokens that were given end; those that are given for them hold.
  package func expire() {
    state.withLock { state in
      for name in state.tokens.keys { state.tokens[name] = "nobody-has-this" }
    }
  }

  /// Changes a row.
  package func change(_ id: String, _ body: (inout Row) -> Void) {
    state.withLock { state in
      guard var row = state.rows[id] else { return }
      body(&row)
      state.rows[id] = row
    }
  }

  /// The requests that were made, as method and path.
  package var calls: [String] { server.requests.map { "\($0.method) \($0.path)" } }

  /// How often a file was asked for, looks inside, which have an end, left out.
  package var transferCount: Int {
    server.requests.count { request in
      let range = request.header("Range") ?? ""
      return request.path.hasSuffix("/file") && (range.isEmpty || range.hasSuffix("-"))
    }
  }

  /// The bytes of all files that were sent.
  package var fileByteCount: Int64 {
    server.requests.filter { $0.path.hasSuffix("/file") || $0.path.hasSuffix("/direct-download") }
      .reduce(0) { $0 + $1.bytesSent }
  }

  /// What `PATCH` said of rows, as id and status, in order.
  package var confirmations: [String] {
    server.requests.filter { $0.method == "PATCH" && $0.status == 204 }.compactMap { request in
      let id = request.path.split(separator: "/").last ?? ""
      let status = request.text.split(separator: "\"").dropFirst(3).first ?? ""
      return "\(id) \(status)"
    }
  }
}
