import Foundation
import SiloContract
import SiloDownloads
import Testing

@testable import SiloDownloads

@Suite("A Silo server's addresses and refusals")
struct SiloTableTests {
  @Test("an address is read as people paste it")
  func addresses() throws {
    let rows: [(String, String?)] = [
      ("http://h:8080", "http://h:8080"), ("https://h/", "https://h"),
      ("https://h/api/v1", "https://h"), ("HTTPS://h/silo///", "https://h/silo"),
      ("http://[::1]:80", "http://[::1]:80"), ("h:8080", nil), ("ftp://h", nil), ("", nil),
      ("http://", nil), ("http://ada:pw@h", nil), ("http://h?token=1", nil), ("http://h#x", nil),
    ]
    for (text, root) in rows {
      #expect((try? SiloAddress(text))?.description == root, "\(text)")
    }
    let url = try SiloAddress("http://h/a").url(
      "catalog", query: [("q", "a+b & c"), ("limit", "5")])
    #expect(url.absoluteString == "http://h/a/api/v1/catalog?q=a%2Bb%20%26%20c&limit=5")
  }

  @Test("what can be read on the way is plain http to another machine")
  func clear() throws {
    let rows = [
      ("http://media.example", true), ("https://media.example", false),
      ("http://127.0.0.1:1", false),
      ("http://localhost", false), ("http://[::1]", false),
    ]
    for (text, isClear) in rows {
      #expect(try SiloAddress(text).isInTheClear == isClear, "\(text)")
    }
  }

  @Test("a refusal is the failure that the command line promises")
  func refusals() {
    let rows: [(Int, String, DownloadError.Code)] = [
      (401, "unauthorized", .auth), (401, "invalid_credentials", .auth),
      (403, "user_disabled", .auth), (403, "profile_unverified", .auth),
      (400, "profile_required", .auth), (403, "feature_disabled", .unavailable),
      (403, "forbidden", .unavailable), (403, "a word of next year", .unavailable),
      (404, "not_found", .notFound), (404, "no_downloadable_episodes", .notFound),
      (409, "download_inactive", .notFound), (410, "client_upgrade_required", .unavailable),
      (429, "download_limit_exceeded", .temporary), (429, "download_quota_exceeded", .space),
      (501, "quality_unavailable", .unavailable), (501, "bulk_quality_unavailable", .unavailable),
      (501, "", .unavailable),
      (400, "invalid_quality", .usage), (400, "bad_request", .integrity),
      (500, "internal_error", .temporary), (503, "unavailable", .temporary), (502, "", .temporary),
    ]
    for (status, code, expected) in rows {
      let body = Array(#"{"error":"\#(code)","message":"m\u001b[31m"}"#.utf8)
      let error = SiloRefusal.error(status: status, said: body, subject: nil)
      #expect(error.code == expected && error.status == status, "\(status) \(code)")
      #expect(error.siloCode?.rawValue == code)
      #expect(!error.message.contains("\u{1b}"))
    }
    let page = SiloRefusal.error(status: 404, said: Array("<html>".utf8), subject: nil)
    #expect(page.code == .notFound && page.siloCode == nil)
  }

  @Test("a profile is chosen by name, by id, else the primary one")
  func profiles() throws {
    func profile(_ id: String, _ name: String, _ isPrimary: Bool = false) -> Profile {
      Profile(
        id: id, name: name, hasPIN: false, isPrimary: isPrimary,
        createdAt: Timestamp(seconds: 0))
    }
    let both = [profile("1", "Ada"), profile("2", "Bob", true)]
    let rows: [(String?, Bool, String?)] = [
      (nil, false, "2"), ("Ada", true, "1"), ("bOB", true, "2"), ("1", true, "1"),
      ("gone", false, "2"),
    ]
    for (wanted, isAsked, id) in rows {
      let choice = try ProfileChoice.choose(both, wanted: wanted, isAsked: isAsked)
      #expect(choice?.id == id, "\(wanted ?? "")")
    }
    #expect(try ProfileChoice.choose([], wanted: nil, isAsked: false) == nil)
    #expect(throws: DownloadError.self) {
      try ProfileChoice.choose(both, wanted: "Eve", isAsked: true)
    }
  }
}
