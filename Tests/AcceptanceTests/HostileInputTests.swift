import Foundation
import SiloTestSupport
import Testing

/// Promise 8: input is hostile.
@Suite("Hostile input")
struct HostileInputTests {
  private static func playlist(_ head: String, _ segment: String) -> String {
    "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n\(head)#EXTINF:4.0,\n\(segment)\n#EXT-X-ENDLIST\n"
  }

  @Test(
    "a playlist that leaves its server is refused with the line", .timeLimit(.minutes(5)),
    arguments: [
      ("", "file:///etc/passwd"), ("", "../../x"), ("", "../../../../../../etc/passwd"),
      ("#EXT-X-KEY:METHOD=AES-128,URI=\"file:///etc/passwd\"\n", "seg0.ts"),
      ("#EXT-X-KEY:METHOD=AES-128,URI=\"../../x\"\n", "seg0.ts"),
      ("#EXT-X-MAP:URI=\"file:///etc/passwd\"\n", "seg0.ts"), ("", "ftp://127.0.0.1/x"),
      ("", "data:video/mp2t;base64,AAAA"),
    ])
  func leaving(head: String, segment: String) async throws {
    let server = try FaultServer()
    let text = Self.playlist(head, segment)
    server.on("/a/list.m3u8") { _, _ in .text(text, type: "application/vnd.apple.mpegurl") }
    let tool = try Tool()
    for command in ["get", "probe"] {
      let result = try await tool.run([command, server.url("/a/list.m3u8")])
      #expect(result.status == 12, "\(result.status): \(result.stderr)")
      #expect(result.stderr.contains("line \(head.isEmpty ? 5 : 4)"), "\(result.stderr)")
    }
    #expect(server.requests.allSatisfy { $0.path == "/a/list.m3u8" })
    #expect(try tool.leftovers() == [])
  }

  @Test(
    "more tracks than a file takes are refused before one is fetched", .timeLimit(.minutes(5)))
  func crowd() async throws {
    let hls = try await HLSFixture.make()
    let server = try FaultServer()
    server.serve(hls.folder)
    let group = (0...1000).map {
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\($0)\",LANGUAGE=\"tr\",URI=\"tr/index.m3u8\"\n"
    }
    let master = """
      #EXTM3U
      \(group.joined())#EXT-X-STREAM-INF:BANDWIDTH=500000,AUDIO="a"
      video/index.m3u8

      """
    server.on("/crowd.m3u8") { _, _ in .text(master, type: "application/vnd.apple.mpegurl") }
    let tool = try Tool()
    let result = try await tool.run(["--audio", "all", server.url("/crowd.m3u8")])
    #expect(result.status == 12, "\(result.stderr)")
    #expect(result.stderr.contains("1000"), "\(result.stderr)")
    #expect(server.requests.count < 20, "\(server.requests.count)")
    #expect(try tool.leftovers() == [])
  }

  @Test("a kind of source that is not offered is named", .timeLimit(.minutes(10)))
  func kinds() async throws {
    let tool = try Tool()
    let rows: [(String, Int32)] = [
      ("silo:7", 4), ("putio:7", 10), ("ftp://127.0.0.1/x", 2), ("nothing.mkv", 3),
    ]
    for (source, status) in rows {
      for command in ["get", "probe"] {
        let result = try await tool.run([command, source])
        #expect(result.status == status, "\(source): \(result.stderr)")
      }
    }
  }

  @Test("DRM is named and refused before anything is downloaded", .timeLimit(.minutes(5)))
  func drm() async throws {
    let server = try FaultServer()
    let rows = [
      ("com.apple.streamingkeydelivery", "skd://key", "FairPlay"),
      ("urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "data:text/plain;base64,AAAA", "Widevine"),
      ("com.microsoft.playready", "data:text/plain;base64,AAAA", "PlayReady"),
    ]
    for (format, uri, name) in rows {
      let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"\(uri)\",KEYFORMAT=\"\(format)\"\n"
      let text = Self.playlist(key, "seg0.ts")
      server.on("/list.m3u8") { _, _ in .text(text) }
      let tool = try Tool()
      for command in ["get", "probe"] {
        let result = try await tool.run([command, server.url("/list.m3u8")])
        #expect(result.status == 12, "\(result.stderr)")
        #expect(result.stderr.contains(name), "\(result.stderr)")
      }
      #expect(try tool.leftovers() == [])
    }
    #expect(server.requests.allSatisfy { $0.path == "/list.m3u8" })
  }

  @Test("what is no media is refused by name", .timeLimit(.minutes(5)))
  func noMedia() async throws {
    let server = try FaultServer()
    server.serve(Array("<!DOCTYPE html><html></html>".utf8), at: "/page.mkv")
    server.serve([], at: "/empty.mkv")
    server.serve([UInt8](repeating: 0x5A, count: 300_000), at: "/noise.mp4")
    let picture: [UInt8] =
      [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR\0\0\0\u{1}\0\0\0\u{1}\u{8}\u{2}".utf8)
    server.serve(picture + [UInt8](repeating: 0, count: 4000), at: "/poster.png")
    let film = try Data(contentsOf: URL(filePath: try await Film.mp4.path()))
    server.serve([UInt8](film.prefix(film.count / 2)), at: "/cut.mp4")
    let rows: [(String, Int32)] = [
      ("/page.mkv", 12), ("/empty.mkv", 12), ("/noise.mp4", 12), ("/cut.mp4", 8), ("/gone.mkv", 3),
      ("/poster.png", 12),
    ]
    let tool = try Tool()
    for (path, status) in rows {
      for command in ["probe", "get"] {
        let result = try await tool.run([command, server.url(path)])
        #expect(result.status == status, "\(command) \(path): \(result.status) \(result.stderr)")
        #expect(!result.stderr.isEmpty)
      }
    }
    #expect(try tool.leftovers() == [])
  }
}
