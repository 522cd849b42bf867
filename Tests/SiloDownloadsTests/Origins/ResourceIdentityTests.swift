import Foundation
import Testing

@testable import SiloDownloads

@Suite("Resource identity")
struct ResourceIdentityTests {
  @Test("a new token is the same resource, another id is another")
  func table() throws {
    let rows: [(String, String, Bool)] = [
      ("http://h/a.mkv?token=1", "http://h/a.mkv?token=2", true),
      ("http://h/a.mkv", "http://h/a.mkv?t=5&Expires=9&Signature=x", true),
      ("http://h/a.mkv?hdntl=exp=1~acl=x", "http://h/a.mkv?hdntl=exp=2~acl=y", true),
      ("http://u:p@h/a.mkv#x", "http://h/a.mkv", true),
      ("http://h/get?id=1", "http://h/get?id=2", false),
      ("http://h/get?id=1&token=a", "http://h/get?id=1&token=b", true),
      ("http://h/a.mkv", "http://h/b.mkv", false),
      ("http://h/a.mkv", "http://g/a.mkv", false),
    ]
    for (a, b, isSame) in rows {
      let first = ResourceIdentity.text(of: try #require(URL(string: a)))
      let second = ResourceIdentity.text(of: try #require(URL(string: b)))
      #expect((first == second) == isSame, "\(a) and \(b)")
      #expect(!first.contains("id=") && !first.contains("u:p"))
    }
  }
}
