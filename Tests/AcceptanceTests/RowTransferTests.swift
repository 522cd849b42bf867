import Foundation
import SiloTestSupport
import Synchronization
import Testing

/// What a server's answers to a registered file mean for the partial file (facts, section 12, cases 70 to 75), and what becomes
/// of a sign-in that ends meanwhile.
@Suite("The transfer of a registered file", .timeLimit(.minutes(5)))
struct RowTransferTests {
  let tool: Tool
  let silo: ScriptedRows
  let film: [UInt8]

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    film = try await TwoFilms().first
    silo.addFilm("film", file: 1, .init(film))
  }

  /// Answers the n-th request of the transfer of a row, looks left out; `nil` is a sound answer.
  private func onTransfer(
    _ answer: @escaping @Sendable (_ sound: FaultAnswer, _ n: Int, _ range: String?) -> FaultAnswer?
  ) {
    let counts = Mutex<[String: Int]>([:])
    silo.state.withLock {
      $0.fileAnswer = { [silo] row, request, _ in
        let range = request.header("Range")
        guard range.map({ $0.hasSuffix("-") }) ?? true else { return nil }
        let bytes = silo.state.withLock { $0.versions[row.file]?.bytes ?? [] }
        let n = counts.withLock {
          $0[row.id, default: 0] += 1
          return $0[row.id] ?? 0
        }
        return answer(.bytes(bytes), n, range)
      }
    }
  }

  private var transfers: [FaultRequest] {
    silo.server.requests.filter {
      $0.path.hasSuffix("/file") && ($0.header("Range")?.hasSuffix("-") ?? true)
    }
  }

  struct Case: Sendable {
    var number: Int
    var name: String
    /// The answer to the n-th request.
    var answer: @Sendable (_ sound: FaultAnswer, _ n: Int) -> FaultAnswer?
    /// Whether the second request asks for the rest, on a condition.
    var resumes = true
    var hasCondition = true
    /// The most bytes of the whole file that may be sent.
    var most = 1.01
  }

  static let cases = [
    Case(
      number: 70, name: "a part that begins elsewhere is thrown away",
      answer: { sound, n in
        n == 1 ? sound.cut(after: 500_000) : n == 2 ? sound.shiftingRange(by: 100) : nil
      }, most: 2.1),
    Case(
      number: 71, name: "the whole in place of a part starts over",
      answer: { sound, n in
        n == 1 ? sound.cut(after: 500_000) : n == 2 ? sound.ignoringRange() : nil
      }, most: 1.4),
    Case(
      number: 72, name: "a range that is none any more starts over",
      answer: { sound, n in
        n == 1
          ? sound.cut(after: 500_000)
          : n == 2 ? FaultAnswer.status(416).header("Content-Range", "bytes */400000") : nil
      }, most: 1.4),
    Case(
      number: 73, name: "a short body is continued",
      answer: { sound, n in n <= 3 ? sound.cut(after: 400_000) : nil }),
    Case(
      number: 74, name: "a weak tag is no condition",
      answer: { sound, n in
        let weak = sound.withoutValidators().etag("W/1")
        return n == 1 ? weak.cut(after: 1_500_000) : weak
      }, hasCondition: false, most: 1.7),
  ]

  @Test("each case of the contract ends with the right file and a confirmed row", arguments: 0..<5)
  func conformance(index: Int) async throws {
    let row = Self.cases[index]
    try await tool.signIn(at: silo.url, key: "sa_ada")
    onTransfer { sound, n, _ in row.answer(sound, n) }
    let result = try await tool.run(["get", "silo:film", "-o", "out.mkv", "-c", "1"])
    #expect(result.status == 0, "\(row.number) \(row.name): \(result.stderr)")
    #expect(tool.has("out.mkv", film), "\(row.number)")
    #expect(silo.rows.map(\.status) == ["completed"])
    let requests = transfers
    let second = try #require(requests.dropFirst().first, "\(row.number)")
    #expect((second.header("Range") != nil) == row.resumes, "\(row.number)")
    #expect((second.header("If-Range") != nil) == row.hasCondition, "\(row.number)")
    let sent = requests.reduce(0) { $0 + $1.bytesSent }
    #expect(Double(sent) <= Double(film.count) * row.most, "\(row.number): \(sent)")
  }

  @Test("case 75: a row in the making is waited for, one that is given out no more is not")
  func inactive() async throws {
    try await tool.signIn(at: silo.url, key: "sa_ada")
    let words = ["get", "silo:film", "-o", "out.mkv", "-c", "1", "--poll", "1"]
    // In mid-transfer the server finds its file lost, and makes it anew.
    onTransfer { [silo] sound, n, _ in
      if n == 1 { return sound.cut(after: 500_000) }
      guard n == 2 else { return nil }
      for row in silo.rows { silo.change(row.id) { $0.status = "preparing" } }
      let looks = Mutex(0)
      silo.state.withLock {
        $0.onList = { state in
          let count = looks.withLock {
            $0 += 1
            return $0
          }
          for id in state.rows.keys where count == 2 { state.rows[id]?.status = "ready" }
        }
      }
      return ScriptedRows.refusal(409, "download_inactive")
    }
    let waited = try await tool.run(words)
    #expect(waited.status == 0, "\(waited.stderr)")
    #expect(tool.has("out.mkv", film))
    #expect(transfers.last?.header("Range")?.hasPrefix("bytes=500000-") == true)
    silo.state.withLock { ($0.rows, $0.onList) = ([:], nil) }
    onTransfer { [silo] sound, n, _ in
      if n == 1 { return sound.cut(after: 500_000) }
      for row in silo.rows { silo.change(row.id) { $0.status = "revoked" } }
      return ScriptedRows.refusal(409, "download_inactive")
    }
    let revoked = try await tool.run(["get", "silo:film", "-o", "other.mkv", "-c", "1"])
    #expect(revoked.status == 3, "\(revoked.stderr)")
    #expect(silo.rows.map(\.status) == ["revoked"])
  }

  @Test(
    "an access token that ends in mid-transfer is renewed once for three items, and no byte comes twice"
  )
  func expiredToken() async throws {
    silo.addSeries("dizi", episodes: [.init(film), .init(film), .init(film)])
    try await tool.signIn(at: silo.url)
    let begun = Mutex(0)
    onTransfer { [silo] sound, n, _ in
      guard n == 1 else { return nil }
      let count = begun.withLock {
        $0 += 1
        return $0
      }
      if count == 3 { silo.expire() }
      return sound.cut(after: 700_000)
    }
    let result = try await tool.run(["season", "silo:dizi", "-o", "Dizi/", "-j", "3", "-c", "1"])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(silo.state.withLock { $0.renewals } == 1)
    let sent = transfers.reduce(0) { $0 + ($1.status < 300 ? $1.bytesSent : 0) }
    #expect(sent == Int64(film.count * 3))
    #expect(silo.rows.allSatisfy { $0.status == "completed" })
  }

  @Test(
    "no secret is anywhere but in the credentials: not in files, outputs or the list of processes")
  func secrets() async throws {
    try await tool.signIn(at: silo.url)
    onTransfer { [silo] sound, n, _ in
      if n == 1 { silo.expire() }
      return n == 1 ? sound.cut(after: 700_000) : nil
    }
    let command = try tool.start(["get", "-v", "--json", "silo:film", "-o", "Films/", "-c", "1"])
    await silo.server.until { $0.contains { $0.path.hasSuffix("/file") } }
    let line = FileManager.default.contents(atPath: "/proc/\(command.process)/cmdline") ?? Data()
    let result = try await command.result()
    #expect(result.status == 0, "\(result.stderr)")
    var texts: [(String, [UInt8])] = [
      ("the list of processes", Array(line)), ("stdout", result.output), ("stderr", result.errors),
    ]
    for words in [["queue", "--json"], ["library", "--json"], ["status", "--json"], ["storage"]] {
      let said = try await tool.run(words)
      texts.append((words[0], said.output + said.errors))
    }
    for name in try tool.folder.names() where !name.hasSuffix("credentials.json") {
      if let bytes = FileManager.default.contents(atPath: tool.folder.path(name)) {
        texts.append((name, Array(bytes)))
      }
    }
    #expect(texts.contains { $0.0.hasSuffix("state.sqlite") })
    let secrets = ["correct horse", "access-ada", "refresh-ada", "Bearer "]
    for (name, bytes) in texts {
      for secret in secrets {
        #expect(Data(bytes).range(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
      }
    }
    let stored = try String(
      contentsOfFile: tool.folder.path("config/silo-fetch/credentials.json"), encoding: .utf8)
    #expect(stored.contains("access-ada-1"))
  }
}
