import Foundation
import Glibc
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct FolderBoundaries {
  @Test func `Nothing outside the folder and nothing hidden is served`() async throws {
    let outside = try TemporaryFolder()
    let secret = try outside.write("secret.txt", "secret")
    let served = try await ServedFolder()
    let files = FileManager.default
    let inside = served.folder.path("sub")
    try files.createDirectory(atPath: inside, withIntermediateDirectories: true)
    _ = try served.folder.write("sub/film.txt", "film")
    _ = try served.folder.write(".hidden.txt", "secret")
    try files.createDirectory(
      atPath: served.folder.path(".git"), withIntermediateDirectories: true)
    _ = try served.folder.write(".git/config", "secret")
    try files.createSymbolicLink(
      atPath: served.folder.path("link.txt"), withDestinationPath: secret)
    try files.createSymbolicLink(
      atPath: served.folder.path("linked"), withDestinationPath: outside.path)
    try files.createSymbolicLink(
      atPath: served.folder.path("peek.txt"), withDestinationPath: ".hidden.txt")
    try files.createSymbolicLink(
      atPath: served.folder.path("good.txt"), withDestinationPath: "sub/film.txt")
    mkfifo(served.folder.path("fifo"), 0o600)

    let name = outside.url.lastPathComponent
    let refused = [
      "../\(name)/secret.txt", "%2e%2e/\(name)/secret.txt", "..%2f\(name)%2fsecret.txt",
      "sub/../../\(name)/secret.txt", "sub/%2e%2e/sub/film.txt", "/etc/passwd",
      "..%5c\(name)", ".hidden.txt", "%2ehidden.txt", ".git/config", "link.txt",
      "linked/secret.txt", "peek.txt", "fifo", "sub", "sub/", "film%00.txt", "sub/film.txt%00",
      "%", "%zz", "%ff%fe", "hls/../../secret/master.m3u8", "sub/./film.txt",
    ]
    for path in refused {
      let answer = try await served.get(path)
      #expect([400, 404].contains(answer.status), "\(path) gave \(answer.status)")
      #expect(!answer.text.contains("secret\n") && answer.text != "secret", "\(path)")
      #expect(answer.headers["content-type"] == "application/json", "\(path)")
    }
    for path in ["sub/film.txt", "sub%2Ffilm.txt", "good.txt"] {
      #expect(try await served.get(path).text == "film", "\(path)")
    }
    await served.server.stop()
  }

  @Test func `The list has every media file with its two addresses, in order`() async throws {
    let served = try await ServedFolder()
    for name in ["b & c.mkv", "Ä.mp4", "notes.txt", ".x.mkv"] {
      _ = try served.folder.write(name, "x")
    }
    let page = try await served.get("")
    #expect(page.text.contains("<a href=\"/b%20%26%20c.mkv\">b &amp; c.mkv</a>"))
    let list = try await served.get("", "-H", "Accept: application/json")
    struct List: Decodable {
      struct File: Decodable {
        var name: String
        var url: String
        var hls: String
      }
      var files: [File]
    }
    let files = try JSONDecoder().decode(List.self, from: Data(list.body)).files
    #expect(files.map(\.name) == ["b & c.mkv", "Ä.mp4"])
    #expect(files.last?.url == "/%C3%84.mp4")
    #expect(files.last?.hls == "/hls/%C3%84.mp4/master.m3u8")
    await served.server.stop()
  }
}
