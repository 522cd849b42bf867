import Foundation
import SiloTestSupport
import Testing

/// What the command makes of a server that does not do what it should: exit code, message, and nothing under the name.
@Suite("Servers at fault", .timeLimit(.minutes(5)))
struct ServerFaultTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let status: Int32
    let code: String
    let answer: @Sendable (_ film: [UInt8], _ n: Int) -> FaultAnswer
    var testDescription: String { name }

    init(
      _ name: String, _ status: Int32, _ code: String,
      _ answer: @escaping @Sendable (_ film: [UInt8], _ n: Int) -> FaultAnswer
    ) {
      (self.name, self.status, self.code, self.answer) = (name, status, code, answer)
    }
  }

  private static let tooLong = "99999999999999999999"

  static let rows: [Row] = [
    Row("401", 4, "auth") { _, _ in .status(401) },
    Row("403", 4, "auth") { _, _ in .status(403) },
    Row("404", 3, "not_found") { _, _ in .status(404) },
    Row("409", 10, "unavailable") { _, _ in .status(409) },
    Row("410", 3, "not_found") { _, _ in .status(410) },
    Row("429 and a wait above five minutes", 5, "temporary") { _, _ in
      .status(429, retryAfter: "301")
    },
    Row("503", 5, "temporary") { _, _ in .status(503) },
    Row("always hung up", 5, "temporary") { _, _ in .hangUp },
    Row("redirect loop", 5, "temporary") { _, _ in .redirect(to: "/film.mkv") },
    Row("redirect to another scheme", 12, "unsupported") { _, _ in
      .redirect(to: "file:///etc/passwd")
    },
    Row("a page", 12, "unsupported") { _, _ in .text("<!DOCTYPE html><p>Sign in") },
    Row("a page that says it is a film", 12, "unsupported") { _, _ in
      .text("<!DOCTYPE html><p>Sign in", type: "video/x-matroska").ignoringRange()
    },
    Row("JSON", 12, "unsupported") { _, _ in .json(#"{"error":"gone"}"#) },
    Row("nothing", 12, "unsupported") { _, _ in .bytes([]) },
    Row("gzip for ever", 8, "integrity") { film, _ in .bytes(film).gzipped() },
    Row("a length beyond any file", 8, "integrity") { film, _ in
      .bytes(film).header("Content-Length", tooLong).closing()
    },
    Row("no length, no ranges, closed early", 8, "integrity") { film, _ in
      .bytes(film).ignoringRange().withoutLength().cut(after: Int64(film.count / 2))
    },
    Row("no ranges, and a length that is too small", 8, "integrity") { film, _ in
      .bytes(film).ignoringRange().claiming(length: Int64(film.count / 2))
    },
    Row("another version with every request", 8, "integrity") { film, n in
      .bytes(film + [UInt8(truncatingIfNeeded: n)] + [UInt8](repeating: 0, count: n))
        .etag("v\(n)").ignoringIfRange()
    },
  ]

  @Test("exit code, code of the JSON, and nothing under the name", arguments: rows)
  func fault(row: Row) async throws {
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    let server = try FaultServer()
    server.on("/film.mkv") { _, n in row.answer(film, n) }
    let tool = try Tool()
    let result = try await tool.run([
      "--json", "--retry", "2", "--header", "Authorization: Bearer sesame", "-o", "out.mkv",
      server.url("/film.mkv?token=sesame"),
    ])
    #expect(result.status == row.status, "\(result.stderr)")
    let failed = try jsonLines(result).first { $0["event"] as? String == "failed" }
    #expect(failed?["code"] as? String == row.code, "\(result.stdout)")
    let message = failed?["message"] as? String ?? ""
    #expect(["film.mkv", "out.mkv"].contains(where: message.contains), "\(result.stdout)")
    #expect(failed?["retryable"] as? Bool == (row.code == "temporary"), "\(result.stdout)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.path("out.mkv")))
    #expect(!(result.stdout + result.stderr).contains("sesame"))

    // What is left does not stand in the way of a sound server.
    server.on("/film.mkv") { _, _ in .bytes(film) }
    let again = try await tool.run(["-o", "out.mkv", server.url("/film.mkv")])
    #expect(again.status == 0, "\(again.stderr)")
    #expect(try tool.folder.read("out.mkv") == film)
    #expect(try tool.leftovers() == ["out.mkv"])
  }
}
