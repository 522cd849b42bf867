import Foundation
import Testing

@testable import SiloDownloads

@Suite struct TransferPlanTests {
  private enum Kind { case take(Int64), startOver, askAgain, refuse }

  private func head(_ status: Int, _ fields: [String: String]) throws -> HTTPResponseHead {
    HTTPResponseHead(
      status: status, url: try #require(URL(string: "http://media.test/film.mkv")),
      headers: fields.map { HTTPHeader($0.key, $0.value) })
  }

  private func plan(
    _ written: Int64, tag: String? = nil, date: String? = nil, total: Int64? = nil
  ) -> TransferPlan {
    TransferPlan(
      written: written,
      validators: HTTPValidators(entityTag: tag, lastModified: date, totalByteCount: total))
  }

  @Test func `every answer is compared with what is on disk`() throws {
    let mib: Int64 = 1 << 20
    let day = "Mon, 01 Jan 2024 00:00:00 GMT"
    let strong = plan(5 * mib, tag: "\"a\"", date: day, total: 9 * mib)
    let dated = plan(5 * mib, date: day, total: 9 * mib)
    let weak = plan(5 * mib, tag: "W/\"a\"", total: 9 * mib)
    let bare = plan(5 * mib)
    func range(_ first: Int64, _ total: Int64? = 9 * 1_048_576) -> [String: String] {
      [
        "Content-Range":
          "bytes \(first)-\((total ?? first + 1) - 1)/\(total.map(String.init) ?? "*")"
      ]
    }
    let rows: [(String, TransferPlan, Int, [String: String], Kind)] = [
      ("fresh 200", plan(0), 200, ["Content-Length": "7"], .startOver),
      ("fresh 206 of all", plan(0), 206, range(0), .take(0)),
      ("fresh 206 of less", plan(0), 206, range(5), .refuse),
      ("no content", plan(0), 204, [:], .refuse),
      ("200 to a range", strong, 200, ["ETag": "\"a\""], .startOver),
      ("same tag", strong, 206, range(5 * mib).merging(["ETag": "\"a\""]) { $1 }, .take(5 * mib)),
      ("other tag", strong, 206, range(5 * mib).merging(["ETag": "\"b\""]) { $1 }, .askAgain),
      (
        "other total", strong, 206, range(5 * mib, 8 * mib).merging(["ETag": "\"a\""]) { $1 },
        .askAgain
      ),
      (
        "tag became weak, date equal", strong, 206,
        range(5 * mib).merging(["ETag": "W/\"a\"", "Last-Modified": day]) { $1 }, .take(5 * mib)
      ),
      ("nothing to compare any more", strong, 206, range(5 * mib), .askAgain),
      ("starts too late", strong, 206, range(6 * mib).merging(["ETag": "\"a\""]) { $1 }, .askAgain),
      (
        "starts too early", strong, 206, range(4 * mib).merging(["ETag": "\"a\""]) { $1 }, .askAgain
      ),
      ("no Content-Range", strong, 206, ["ETag": "\"a\""], .askAgain),
      (
        "same date", dated, 206, range(5 * mib).merging(["Last-Modified": day]) { $1 },
        .take(5 * mib)
      ),
      (
        "other date", dated, 206,
        range(5 * mib).merging(["Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT"]) { $1 }, .askAgain
      ),
      ("weak tag: a part comes again", weak, 206, range(4 * mib), .take(4 * mib)),
      ("weak tag, other total", weak, 206, range(4 * mib, 10 * mib), .askAgain),
      ("nothing: a part comes again", bare, 206, range(4 * mib, nil), .take(4 * mib)),
      (
        "complete: the last byte comes again", plan(9 * mib, tag: "\"a\"", total: 9 * mib), 206,
        range(9 * mib - 1).merging(["ETag": "\"a\""]) { $1 }, .take(9 * mib - 1)
      ),
    ]
    for (name, plan, status, fields, expected) in rows {
      let answer = plan.answer(to: try head(status, fields), asked: plan.range)
      let isExpected =
        switch (answer, expected) {
        case (.take(let found), .take(let wanted)): found == wanted
        case (.startOver, .startOver), (.askAgain, .askAgain), (.refuse, .refuse): true
        default: false
        }
      #expect(isExpected, "\(name): \(answer)")
    }
    #expect(plan(0, tag: "\"a\"").range == nil && plan(0, tag: "\"a\"").ifRange == nil)
    #expect(strong.ifRange == "\"a\"" && dated.ifRange == day && weak.ifRange == nil)
    #expect(plan(1000).range == 0..<Int64.max)
  }

  @Test func `first bytes tell pages and JSON from media`() {
    let rows: [(String, Bool)] = [
      ("<!DOCTYPE html><html>", true), ("\u{FEFF}\n <HTML lang=en>", true),
      ("<?xml version=", true),
      ("{\"error\": \"x\"}", true), ("[{\"a\":1}]", true), ("\u{1A}E\u{7F}", false),
      ("\0\0\0\u{18}ftypisom", false), ("G@\0", false), ("{\0\u{1}\u{2}", false), ("", false),
      ("ID3\u{4}", false), ("RIFFxxxxWAVE", false),
    ]
    for (text, isForeign) in rows {
      #expect((MediaSniff.foreignKind(Array(text.utf8)) != nil) == isForeign, "\(text)")
    }
  }
}
