import Foundation
import SiloDownloads
import SiloSystem
import SiloTestSupport
import Testing

/// How a server answers, and what a transfer has to make of it.
struct ServerMatrixRow: Sendable, CustomTestStringConvertible {
  /// How a transfer ends.
  enum End: Sendable {
    /// With the file as it was from the beginning on.
    case first
    /// With the file that the server has now.
    case second
    /// With a failure, and so many bytes kept for the next run.
    case failed(DownloadError.Code, kept: Int)
  }

  /// What is asked, and what comes of it.
  struct Expectation: Sendable {
    /// Status and range of every request in order; those to another origin with an arrow; a star at the end is for anything.
    var requests: [String]
    var end: End
    init(_ requests: [String], _ end: End = .first) {
      self.requests = requests
      self.end = end
    }
  }

  let name: String
  /// How the server answered the run before, which was cut.
  var before: @Sendable () -> FaultAnswer = { .served }
  /// How it answers now; `elsewhere` is a URL of the same file at another origin.
  let answer: @Sendable (_ request: FaultRequest, _ n: Int, _ elsewhere: String) -> FaultAnswer
  let fresh: Expectation
  let resumed: Expectation
  /// What comes of it when the first connection is served soundly, and only those that are added meet it.
  var parallel = End.first
  /// Whether there is a validator by which several connections may share the file.
  var isShared = true
  /// What is waited for, in seconds; `nil` when that is not looked at.
  var pauses: [Double]?

  var testDescription: String { name }

  /// Whether the request of that number meets the row, of those of several connections.
  func meets(_ number: Int) -> Bool {
    if case .second = parallel { return number > 1 }
    return (2...4).contains(number)
  }
}

/// One transfer under a row of the matrix, with servers and a folder of its own.
struct ServerMatrixTrial {
  /// The length of both files.
  static let byteCount = 3 << 20 + 321
  /// What is there of the first when a transfer goes on.
  static let half = 2 << 20
  static let first = film(1)
  static let second = film(2)

  private let row: ServerMatrixRow
  private let folder: TemporaryFolder
  private let server: FaultServer
  private let elsewhere: FaultServer
  private let pauses = Pauses()

  init(_ row: ServerMatrixRow) throws {
    self.row = row
    folder = try TemporaryFolder()
    server = try FaultServer()
    elsewhere = try FaultServer()
    for path in ["/film.mkv", "/moved.mkv"] { server.serve(Self.first, at: path) }
    elsewhere.serve(Self.first, at: "/film.mkv")
  }

  /// Bytes that look like no text, others for each seed.
  private static func film(_ seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<byteCount).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56) | (index < 8 ? 0x80 : 0)
    }
  }

  func fresh() async throws {
    try await judge(row.fresh, "fresh")
  }

  func resumed() async throws {
    let before = row.before
    server.on("/film.mkv") { _, _ in before().cut(after: Int64(Self.half)) }
    let error = try await downloadError { _ = try await transfer(attempts: 1).run() }
    #expect(error.code == .temporary, "\(row.name): the run before")
    server.forgetRequests()
    try await judge(row.resumed, "resumed")
  }

  /// The first connection brings about 3 MiB a second of what it has from before; the next ones meet the row.
  ///
  /// - Returns: Whether there were next ones: on a machine that is busy, the first may have brought everything before.
  func parallel() async throws -> Bool {
    let note: Comment = "\(row.name), parallel"
    let (row, other) = (row, elsewhere.url("/film.mkv"))
    server.on("/film.mkv") { request, n in
      // Whether the first one needs another request later depends on who is quicker: that is served again.
      let answer = row.meets(n) ? row.answer(request, n - 1, other) : row.before()
      return answer.dripping(32 << 10, every: .milliseconds(10))
    }
    let result = await Result { try await transfer(connections: 4).run() }
    #expect(asked.count < 30, "\(row.name), parallel: \(asked)")
    let parts = server.requests.filter { $0.header("Range") != nil }
    #expect(parts.allSatisfy { $0.header("If-Range") != nil }, note)
    #expect(elsewhere.requests.allSatisfy { $0.header("Authorization") == nil }, note)
    let isMet = asked.count > 1
    if isMet || !row.isShared { try await expect(row.parallel, of: result, note) }
    return isMet
  }

  private func transfer(
    attempts: Int = 3, connections: Int = 1, _ pauses: Pauses = Pauses()
  ) throws -> FileTransfer {
    var options = HTTPOptions()
    options.attempts = attempts
    options.connectionsPerFile = connections
    options.stallTime = row.name == "stall" ? .seconds(1) : .seconds(30)
    options.credentialOrigin = URL(string: server.url())
    options.userHeaders = [HTTPHeader("Authorization", "old")]
    if row.name.contains("renewed") { options.renewAuthorization = { "new" } }
    return FileTransfer(
      client: HTTPClient(options, waiting: pauses.waiting),
      url: try #require(URL(string: server.url("/film.mkv"))),
      partial: folder.url.appendingPathComponent("film.mkv.part"),
      pace: TransferPace(window: .milliseconds(40), patience: .milliseconds(400)))
  }

  private func judge(_ expected: ServerMatrixRow.Expectation, _ column: String) async throws {
    let note: Comment = "\(row.name), \(column)"
    let (answer, other) = (row.answer, elsewhere.url("/film.mkv"))
    server.on("/film.mkv") { answer($0, $1, other) }
    let result = await Result { try await transfer(pauses).run() }
    #expect(asked.count == expected.requests.count, "\(row.name), \(column): \(asked)")
    for (request, wanted) in zip(asked, expected.requests) {
      // A star stands for a byte that nobody knows: what a reset throws away on its way.
      let isFree = wanted.hasSuffix("*") && request.hasPrefix(wanted.dropLast())
      #expect(request == wanted || isFree, "\(row.name), \(column): \(asked)")
    }
    #expect(elsewhere.requests.allSatisfy { $0.header("Authorization") == nil }, note)
    if let seconds = row.pauses { #expect(pauses.all.map { $0.seconds } == seconds, note) }
    try await expect(expected.end, of: result, note)
  }

  private func expect(
    _ end: ServerMatrixRow.End, of result: Result<TransferredFile, any Error>, _ note: Comment
  ) async throws {
    switch (end, result) {
    case (.first, .success(let file)): try expectRight(file, Self.first, note)
    case (.second, .success(let file)): try expectRight(file, Self.second, note)
    case (.failed(let code, let kept), .failure(let error)):
      #expect((error as? DownloadError)?.code == code, "\(note): \(error)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("film.mkv")), note)
      try await expectKept(kept, note)
    case (_, .success): Issue.record("succeeded: \(note)")
    case (_, .failure(let error)): Issue.record("failed: \(note): \(error)")
    }
  }

  private var asked: [String] {
    let all = server.requests.map { ("", $0) } + elsewhere.requests.map { ("→", $0) }
    return all.map { mark, request in
      let range = request.header("Range").map { " \($0.dropFirst("bytes=".count))" }
      return "\(mark)\(request.status)\(range ?? "")"
    }
  }

  private func expectRight(_ file: TransferredFile, _ bytes: [UInt8], _ note: Comment) throws {
    #expect(file.byteCount == Int64(bytes.count), note)
    #expect(file.sha256 == (try Digest.hex(of: bytes)), note)
    try file.commit(to: folder.url.appendingPathComponent("film.mkv"))
    #expect(try folder.read("film.mkv") == bytes, note)
    #expect(try folder.names() == ["film.mkv"], note)
  }

  /// A run with a sound server asks for what is not kept, and makes the file right.
  private func expectKept(_ kept: Int, _ note: Comment) async throws {
    server.forgetRequests()
    let before = row.before
    server.on("/film.mkv") { _, _ in before() }
    let file = try await transfer().run()
    let range = kept == 0 ? "200" : "206 \(kept)-"
    #expect(server.requests(for: "/film.mkv").count == 1, note)
    #expect(asked.first == range, note)
    try expectRight(file, Self.first, note)
  }
}

extension Result where Failure == any Error {
  /// What work returned or threw.
  fileprivate init(_ work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
