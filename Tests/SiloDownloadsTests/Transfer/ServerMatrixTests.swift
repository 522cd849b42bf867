import Foundation
import SiloDownloads
import SiloTestSupport
import Testing

/// Every way in which a server answers, right or wrong, against every state of a transfer.
@Suite("Server matrix", .timeLimit(.minutes(5)))
struct ServerMatrixTests {
  @Test("a transfer from the start", .serialized, arguments: ServerMatrixRow.all)
  func fresh(row: ServerMatrixRow) async throws {
    try await ServerMatrixTrial(row).fresh()
  }

  @Test("a transfer that goes on", .serialized, arguments: ServerMatrixRow.all)
  func resumed(row: ServerMatrixRow) async throws {
    try await ServerMatrixTrial(row).resumed()
  }

  @Test("a transfer by several connections", .serialized, arguments: ServerMatrixRow.all)
  func parallel(row: ServerMatrixRow) async throws {
    var isMet = try await ServerMatrixTrial(row).parallel()
    for _ in 0..<4 where row.isShared && !isMet {
      isMet = try await ServerMatrixTrial(row).parallel()
    }
    // Without one more connection, nothing was tried.
    #expect(isMet == row.isShared)
  }
}

extension ServerMatrixRow {
  static let all = ranges + refusals + breaks + versions + lies + redirects

  private static let (h, n) = (ServerMatrixTrial.half, ServerMatrixTrial.byteCount)
  private static let (second, cut) = (ServerMatrixTrial.second, 512 << 10)

  private static let ranges: [ServerMatrixRow] = [
    ServerMatrixRow(
      name: "right", answer: { _, _, _ in .served }, fresh: .init(["200"]),
      resumed: .init(["206 \(h)-"])),
    ServerMatrixRow(
      name: "wrong total", answer: { _, _, _ in .served.shiftingTotal(by: 5) },
      fresh: .init(["200"]), resumed: .init(["206 \(h)-", "200"])),
    ServerMatrixRow(
      name: "wrong start", answer: { _, _, _ in .served.shiftingRange(by: 5) },
      fresh: .init(["200"]), resumed: .init(["206 \(h)-", "200"])),
    ServerMatrixRow(
      name: "range ignored", answer: { _, _, _ in .served.ignoringRange() },
      fresh: .init(["200"]), resumed: .init(["200 \(h)-"])),
    ServerMatrixRow(
      name: "416",
      answer: { request, _, _ in
        request.header("Range") == nil
          ? .served : .status(416).header("Content-Range", "bytes */\(n)")
      }, fresh: .init(["200"]), resumed: .init(["416 \(h)-", "200"])),
  ]

  private static let refusals: [ServerMatrixRow] =
    [
      refusal(401, .auth), refusal(403, .auth), refusal(404, .notFound),
      refusal(409, .unavailable), refusal(410, .notFound), refusal(429, .temporary, times: 3),
      refusal(503, .temporary, times: 3), wait(429, "7", 7), wait(503, "7", 7),
      wait(503, "Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ServerMatrixRow(
        name: "401, then renewed",
        answer: { request, _, _ in
          request.header("Authorization") == "new" ? .served : .status(401)
        }, fresh: .init(["401", "200"]), resumed: .init(["401 \(h)-", "206 \(h)-"]), pauses: []),
      ServerMatrixRow(
        name: "401, renewed and refused", answer: { _, _, _ in .status(401) },
        fresh: .init(["401", "401"], .failed(.auth, kept: 0)),
        resumed: .init(["401 \(h)-", "401 \(h)-"], .failed(.auth, kept: h)), pauses: []),
    ]

  /// The same status for ever, asked for so many times.
  private static func refusal(_ status: Int, _ code: DownloadError.Code, times: Int = 1)
    -> ServerMatrixRow
  {
    ServerMatrixRow(
      name: "\(status) for ever", answer: { _, _, _ in .status(status) },
      fresh: .init(Array(repeating: "\(status)", count: times), .failed(code, kept: 0)),
      resumed: .init(Array(repeating: "\(status) \(h)-", count: times), .failed(code, kept: h)))
  }

  /// A status with Retry-After once.
  private static func wait(_ status: Int, _ field: String, _ seconds: Double) -> ServerMatrixRow {
    ServerMatrixRow(
      name: "\(status), Retry-After: \(field)",
      answer: { _, count, _ in
        if count > 1 { return .served }
        let answer = FaultAnswer.status(status, retryAfter: field)
        return answer.header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
      }, fresh: .init(["\(status)", "200"]), resumed: .init(["\(status) \(h)-", "206 \(h)-"]),
      pauses: [seconds])
  }

  private static let breaks: [ServerMatrixRow] = [
    once("cut", .served.cut(after: Int64(cut))),
    once("reset", .served.cut(after: Int64(cut), reset: true), at: "*"),
    once("cut in a chunk", .served.chunked().cut(after: Int64(cut))),
    once("stall", .served.stalling(after: Int64(cut))),
    ServerMatrixRow(
      name: "drip",
      answer: { _, _, _ in .served.dripping(256 << 10, every: .milliseconds(5)) },
      fresh: .init(["200"]), resumed: .init(["206 \(h)-"])),
    ServerMatrixRow(
      name: "hangs up for ever", answer: { _, _, _ in .hangUp },
      fresh: .init(["0", "0", "0"], .failed(.temporary, kept: 0)),
      resumed: .init(Array(repeating: "0 \(h)-", count: 3), .failed(.temporary, kept: h))),
    ServerMatrixRow(
      name: "gzip once", answer: { _, count, _ in count > 1 ? .served : .served.gzipped() },
      fresh: .init(["200", "200"]), resumed: .init(["200 \(h)-", "206 \(h)-"])),
    ServerMatrixRow(
      name: "gzip for ever",
      answer: { _, _, _ in .served.gzipped().ignoringIfRange() },
      fresh: .init(["200", "200"], .failed(.integrity, kept: 0)),
      resumed: .init(["206 \(h)-", "206 \(h)-"], .failed(.integrity, kept: h))),
  ]

  /// An answer that breaks off once.
  private static func once(_ name: String, _ answer: FaultAnswer, at place: String? = nil)
    -> ServerMatrixRow
  {
    let (early, late) = (place ?? "\(cut)-", place ?? "\(h + cut)-")
    return ServerMatrixRow(
      name: name, answer: { _, count, _ in count > 1 ? .served : answer },
      fresh: .init(["200", "206 \(early)"]), resumed: .init(["206 \(h)-", "206 \(late)"]))
  }

  private static let dates = ["Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT"]
  private static let compared = h - 1 << 20

  /// A file that was written in the second in which it is asked for: it may change again in that second.
  private static func young(_ answer: FaultAnswer) -> FaultAnswer {
    answer.withoutValidators().header("Last-Modified", dates[0]).header("Date", dates[0])
  }

  private static let versions: [ServerMatrixRow] = [
    ServerMatrixRow(
      name: "changed ETag", answer: { _, _, _ in .bytes(second).etag("2") },
      fresh: .init(["200"], .second), resumed: .init(["200 \(h)-"], .second), parallel: .second),
    ServerMatrixRow(
      name: "changed ETag, If-Range ignored",
      answer: { _, _, _ in .bytes(second).etag("2").ignoringIfRange() },
      fresh: .init(["200"], .second), resumed: .init(["206 \(h)-", "200"], .second),
      parallel: .second),
    ServerMatrixRow(
      name: "changed date",
      before: { .served.withoutValidators().header("Last-Modified", dates[0]) },
      answer: { _, _, _ in
        .bytes(second).withoutValidators().header("Last-Modified", dates[1]).ignoringIfRange()
      }, fresh: .init(["200"], .second), resumed: .init(["206 \(h)-", "200"], .second),
      parallel: .second),
    ServerMatrixRow(
      name: "changed length", before: { .served.withoutValidators() },
      answer: { _, count, _ in
        count > 1
          ? .served : .bytes(ServerMatrixTrial.first + [1]).withoutValidators().cut(after: 1)
      }, fresh: .init(["200", "206 0-", "200"]),
      resumed: .init(["206 \(compared)-", "200"]), isShared: false),
    ServerMatrixRow(
      name: "weak ETag", before: { .served.withoutValidators().etag("W/1") },
      answer: { _, _, _ in .served.withoutValidators().etag("W/1") },
      fresh: .init(["200"]), resumed: .init(["206 \(compared)-"]), isShared: false),
    ServerMatrixRow(
      name: "weak ETag of another file", before: { .served.withoutValidators().etag("W/1") },
      answer: { _, _, _ in .bytes(second).withoutValidators().etag("W/1") },
      fresh: .init(["200"], .second), resumed: .init(["206 \(compared)-", "200"], .second),
      isShared: false),
    ServerMatrixRow(
      name: "young date", before: { young(.served) }, answer: { _, _, _ in young(.served) },
      fresh: .init(["200"]), resumed: .init(["206 \(compared)-"]), isShared: false),
    ServerMatrixRow(
      name: "young date of another file", before: { young(.served) },
      answer: { _, _, _ in young(.bytes(second)) },
      fresh: .init(["200"], .second), resumed: .init(["206 \(compared)-", "200"], .second),
      isShared: false),
    ServerMatrixRow(
      name: "no validators", before: { .served.withoutValidators() },
      answer: { _, _, _ in .served.withoutValidators() },
      fresh: .init(["200"]), resumed: .init(["206 \(compared)-"]), isShared: false),
    ServerMatrixRow(
      name: "no validators, another file", before: { .served.withoutValidators() },
      answer: { _, _, _ in .bytes(second).withoutValidators() },
      fresh: .init(["200"], .second), resumed: .init(["206 \(compared)-", "200"], .second),
      isShared: false),
  ]

  private static let lies: [ServerMatrixRow] = [
    ServerMatrixRow(
      name: "a page", answer: { _, _, _ in .text("<!DOCTYPE html><p>Sign in") },
      fresh: .init(["200"], .failed(.unsupported, kept: 0)),
      resumed: .init(["200 \(h)-"], .failed(.unsupported, kept: h))),
    ServerMatrixRow(
      name: "JSON", answer: { _, _, _ in .json(#"{"error":"gone"}"#).ignoringRange() },
      fresh: .init(["200"], .failed(.unsupported, kept: 0)),
      resumed: .init(["200 \(h)-"], .failed(.unsupported, kept: h))),
    ServerMatrixRow(
      name: "more is announced than comes",
      answer: { request, count, _ in
        guard count == 1 else { return .served }
        let rest = request.header("Range") == nil ? n : n - h
        return .served.claiming(length: Int64(rest + 1000))
      }, fresh: .init(["200", "416 \(n)-", "200"]),
      resumed: .init(["206 \(h)-", "206 \(n - 1)-"])),
    ServerMatrixRow(
      name: "less of a part is announced than comes",
      answer: { request, count, _ in
        guard count == 1, request.header("Range") != nil else { return .served }
        return .served.claiming(length: Int64(n - h - 1000))
      }, fresh: .init(["200"]), resumed: .init(["206 \(h)-", "206 \(n - 1000)-*"])),
    ServerMatrixRow(
      name: "more is announced than any file has",
      answer: { _, _, _ in .served.header("Content-Length", "99999999999999999999").closing() },
      fresh: .init(["200"], .failed(.integrity, kept: 0)),
      resumed: .init(["206 \(h)-"], .failed(.integrity, kept: h))),
    ServerMatrixRow(
      name: "a part without a length is closed early",
      answer: { request, count, _ in
        count > 1 || request.header("Range") == nil
          ? .served : .served.withoutLength().cut(after: Int64(cut))
      }, fresh: .init(["200"]), resumed: .init(["206 \(h)-", "206 \(h + cut)-*"])),
  ]

  private static let redirects: [ServerMatrixRow] = [
    ServerMatrixRow(
      name: "redirect to the same origin", answer: { _, _, _ in .redirect(to: "/moved.mkv") },
      fresh: .init(["302", "200"]), resumed: .init(["302 \(h)-", "206 \(h)-"])),
    ServerMatrixRow(
      name: "redirect to another origin", answer: { _, _, other in .redirect(to: other) },
      fresh: .init(["302", "→200"]), resumed: .init(["302 \(h)-", "→206 \(h)-"])),
    ServerMatrixRow(
      name: "redirect loop", answer: { _, _, _ in .redirect(to: "/film.mkv") },
      fresh: .init(Array(repeating: "302", count: 11), .failed(.temporary, kept: 0)),
      resumed: .init(
        Array(repeating: "302 \(h)-", count: 11), .failed(.temporary, kept: h))),
  ]
}
