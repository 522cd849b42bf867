import Foundation
import SiloTestSupport
import Testing

/// The embedded server offers every file as multi-audio HLS, and what is fetched from it is the film.
@Suite("Embedded server")
struct EmbeddedServerTests {
  @Test(
    "two languages, subtitles and chapters of a served film", .timeLimit(.minutes(5)),
    arguments: ["mkv", "mp4"])
  func served(container: String) async throws {
    let tool = try Tool()
    let media = try TemporaryFolder()
    let film = try await Film.mkv.copy(to: media, as: "The Film (2024).mkv")
    let server = try tool.start(["serve", media.path, "--listen", "127.0.0.1:0", "--json"])
    defer { server.signal(SIGTERM) }
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let root = try #require(listening["url"] as? String)

    let output = tool.folder.path("out.\(container)")
    let url = root + "/hls/The%20Film%20(2024)/master.m3u8"
    let result = try await tool.run(["--audio", "tr,en", url, "-o", output])
    #expect(result.status == 0, "\(result.stderr)")
    let audio = try await Probe.streams(output, kind: "audio")
    #expect(audio.map(\.language) == ["tur", "eng"])
    #expect(audio.map(\.isDefault) == [true, false])
    #expect(audio.map(\.codec) == ["aac", "ac3"])
    let subtitles = try await Probe.streams(output, kind: "subtitle")
    #expect(subtitles.map(\.language) == ["tur", "eng"])
    let chapters = try await SiloTestSupport.run(
      "ffprobe", "-v", "error", "-show_chapters", "-of", "csv", output)
    #expect(chapters.lines.count == 2 && chapters.stdout.contains("Ending"))
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - Film.duration) < 0.065, "\(duration)")
    for (track, origin) in [("v:0", "v:0"), ("a:0", "a:0"), ("a:1", "a:1")] {
      let hashes = try await Probe.packetHashes(output, track).filter { $0.hasPrefix("MD5:") }
      let expected = try await Probe.packetHashes(film, origin).filter { $0.hasPrefix("MD5:") }
      #expect(hashes == expected, "\(track)")
    }
  }

  @Test("SIGHUP shows the certificate that lies there now, and tells of one that is bad")
  func renewal() async throws {
    let tool = try Tool()
    let media = try TemporaryFolder()
    let authority = try await CertificateAuthority.make()
    let (first, second) = (try await authority.sign("first"), try await authority.sign("second"))
    let (cert, key) = (tool.folder.path("cert.pem"), tool.folder.path("key.pem"))
    func put(_ certificate: CertificateAuthority.Certificate) throws {
      try Data(contentsOf: URL(filePath: certificate.path)).write(to: URL(filePath: cert))
      try Data(contentsOf: URL(filePath: certificate.keyPath)).write(to: URL(filePath: key))
    }
    try put(first)
    // What it says on stderr is waited for, so both go one way.
    let server = try RunningCommand(
      "sh",
      [
        "-c",
        "exec '\(try productPath("silo-fetch"))' serve '\(media.path)' --listen 127.0.0.1:0 --tls-cert '\(cert)' --tls-key '\(key)' 2>&1",
      ], environment: tool.environment, in: tool.folder.path)
    defer { server.signal(SIGTERM) }
    let line = try await server.line { $0.contains("listening on https://") }
    let place = try #require(line.split(separator: "/").last).description
    func shown() async throws -> String {
      try await runSuccessfully(
        "sh",
        [
          "-c",
          "openssl s_client -connect \(place) </dev/null 2>/dev/null | openssl x509 -noout -subject",
        ]
      ).stdout
    }
    #expect(try await shown().contains("CN = first"))
    try put(second)
    server.signal(SIGHUP)
    _ = try await server.line { $0.contains("the certificate that was read now") }
    #expect(try await shown().contains("CN = second"))
    try tool.folder.write("cert.pem", "nothing\n")
    server.signal(SIGHUP)
    let words = try await server.line { $0.hasPrefix("error: ") }
    #expect(words.contains("There is no certificate in this file"))
    #expect(words.contains("The certificate of before stays in use."))
    #expect(try await shown().contains("CN = second"))
  }
}
