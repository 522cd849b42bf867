import Foundation
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct Ranges {
  static let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  struct Row: Sendable, CustomTestStringConvertible {
    var field: String?
    var status: Int
    var bytes: Range<Int>?
    var testDescription: String { field ?? "none" }
  }

  static let rows: [Row] = [
    Row(field: nil, status: 200, bytes: 0..<1000),
    Row(field: "bytes=0-0", status: 206, bytes: 0..<1),
    Row(field: "bytes=10-19", status: 206, bytes: 10..<20),
    Row(field: "bytes=990-", status: 206, bytes: 990..<1000),
    Row(field: "bytes=990-5000", status: 206, bytes: 990..<1000),
    Row(field: "bytes=-5", status: 206, bytes: 995..<1000),
    Row(field: "bytes=-5000", status: 206, bytes: 0..<1000),
    Row(field: "Bytes = 3-4", status: 206, bytes: 3..<5),
    Row(field: "bytes=1000-", status: 416, bytes: nil),
    Row(field: "bytes=99999999999999999999-", status: 416, bytes: nil),
    Row(field: "bytes=-0", status: 416, bytes: nil),
    Row(field: "bytes=20-10", status: 200, bytes: 0..<1000),
    Row(field: "bytes=0-1,5-6", status: 200, bytes: 0..<1000),
    Row(field: "bytes=a-b", status: 200, bytes: 0..<1000),
    Row(field: "bytes=-", status: 200, bytes: 0..<1000),
    Row(field: "items=0-1", status: 200, bytes: 0..<1000),
  ]

  @Test func `Every form of the Range field gets the bytes that it names`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("a file.bin", Self.content)
    for row in Self.rows {
      let arguments = row.field.map { ["-H", "Range: \($0)"] } ?? []
      let answer =
        arguments.isEmpty
        ? try await served.get("a%20file.bin")
        : try await served.get("a%20file.bin", arguments[0], arguments[1])
      #expect(answer.status == row.status, "\(row.testDescription)")
      if let bytes = row.bytes {
        #expect(answer.body == Array(Self.content[bytes]), "\(row.testDescription)")
        #expect(answer.headers["content-length"] == String(bytes.count), "\(row.testDescription)")
        #expect(answer.headers["accept-ranges"] == "bytes")
      } else {
        #expect(answer.headers["content-range"] == "bytes */1000", "\(row.testDescription)")
      }
      if row.status == 206, let bytes = row.bytes {
        let wanted = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1000"
        #expect(answer.headers["content-range"] == wanted, "\(row.testDescription)")
      }
    }
    await served.server.stop()
  }

  @Test func `HEAD tells what GET would send, and sends nothing`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("film.mp4", Self.content)
    let whole = try await served.get("film.mp4", "-I")
    #expect(whole.status == 200)
    #expect(whole.headers["content-length"] == "1000")
    #expect(whole.headers["content-type"] == "video/mp4")
    #expect(whole.headers["etag"]?.hasPrefix("\"") == true)
    let part = try await served.get("film.mp4", "-I", "-H", "Range: bytes=5-")
    #expect(part.status == 206)
    #expect(part.headers["content-length"] == "995")
    #expect(served.log.map(\.byteCount) == [0, 0])
    #expect(served.log.last?.range == "bytes=5-")
    await served.server.stop()
  }

  @Test func `Validators decide between the part, the whole, and nothing`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("film.mkv", Self.content)
    let first = try await served.get("film.mkv")
    let tag = try #require(first.headers["etag"])
    let date = try #require(first.headers["last-modified"])
    let range = "Range: bytes=1-2"
    let rows: [([String], Int)] = [
      ([range, "If-Range: \(tag)"], 206),
      ([range, "If-Range: \(date)"], 206),
      ([range, "If-Range: \"other\""], 200),
      ([range, "If-Range: W/\(tag)"], 200),
      ([range, "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], 200),
      (["If-None-Match: \(tag)"], 304),
      (["If-None-Match: \"x\", W/\(tag)"], 304),
      (["If-None-Match: *"], 304),
      (["If-None-Match: \"x\""], 200),
      (["If-Modified-Since: \(date)"], 304),
      (["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 200),
      (["If-Modified-Since: never"], 200),
      (["If-None-Match: \"x\"", "If-Modified-Since: \(date)"], 200),
      (["If-Match: \"x\""], 412),
      (["If-Match: \(tag)"], 200),
      (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 412),
    ]
    for (fields, status) in rows {
      let config = fields.map { "header = \"\($0.replacing("\"", with: "\\\""))\"\n" }.joined()
      let path = try served.folder.write(".curl", config)
      let answer = try await served.get("film.mkv", "-K", path)
      #expect(answer.status == status, "\(fields)")
      if status == 304 { #expect(answer.body.isEmpty && answer.headers["etag"] == tag) }
    }
    await served.server.stop()
  }

  @Test func `A file that was replaced has another entity tag`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("a.bin", Self.content)
    let before = try await served.get("a.bin", "-I").headers["etag"]
    _ = try served.folder.write("b.bin", Self.content.reversed())
    try FileManager.default.removeItem(atPath: served.folder.path("a.bin"))
    try FileManager.default.moveItem(
      atPath: served.folder.path("b.bin"), toPath: served.folder.path("a.bin"))
    let after = try await served.get("a.bin", "-I").headers["etag"]
    #expect(before != nil && after != nil && before != after)
    await served.server.stop()
  }
}
