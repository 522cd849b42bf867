import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem
import SiloTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SegmentKeyTests {
  private let folder: TemporaryFolder
  private let keys: [String: [UInt8]] = [
    "/film/one.key": Array("0123456789abcdef".utf8),
    "/film/hex.key": Array("000102030405060708090a0B0c0D0e0f\n".utf8),
  ]
  private let impatient = Waiting(now: Waiting.system.now, sleep: { _ in })

  init() throws { folder = try TemporaryFolder() }

  private func run(_ fetcher: ScriptedFetcher, _ playlist: MediaPlaylist) async throws -> [UInt8] {
    let transfer = try SegmentTransfer(fetcher: fetcher, folder: folder.url, waiting: impatient)
    let result = try await transfer.run([.init(name: "v", playlist: playlist)])
    return [UInt8](try Data(contentsOf: result.spools[0].url))
  }

  private static func vector(_ number: UInt8) -> [UInt8] {
    [UInt8](repeating: 0, count: 15) + [number]
  }

  @Test func `rotating keys, explicit and counted IVs and an encrypted init section decrypt`()
    async throws
  {
    let iv = [UInt8](0xA0...0xAF)
    let second = [UInt8](0...15)
    let one = try #require(keys["/film/one.key"])
    let initSection = [0, 0, 0, 16] + Array("ftypiso6".utf8) + [0, 0, 0, 0] as [UInt8]
    let playlist = try SampleSegments.playlist(
      "v", 4, first: 200,
      tags: [
        200: "#EXT-X-KEY:METHOD=AES-128,URI=\"one.key?token=1\",IV=0x\(Digest.hex(iv))\n"
          + "#EXT-X-MAP:URI=\"init.mp4\"",
        201: "#EXT-X-KEY:METHOD=AES-128,URI=\"one.key?token=1\"",
        202: "#EXT-X-KEY:METHOD=AES-128,URI=\"hex.key\"",
        203: "#EXT-X-KEY:METHOD=NONE",
      ])
    let vectors: [String: ([UInt8], [UInt8])] = [
      "/film/init.mp4": (one, iv), "/film/v200.ts": (one, iv),
      "/film/v201.ts": (one, Self.vector(201)), "/film/v202.ts": (second, Self.vector(202)),
    ]
    let keys = keys
    let fetcher = ScriptedFetcher { path, _, _ in
      if let key = keys[path] { return key }
      let clear = path.hasSuffix("mp4") ? initSection : SampleSegments.stream(path)
      guard let (key, vector) = vectors[path] else { return clear }
      return try BlockCipher.run(.encrypt, key: key, vector: vector, over: clear)
    }
    let expected = initSection + (200..<204).flatMap { SampleSegments.stream("/film/v\($0).ts") }
    #expect(try await run(fetcher, playlist) == expected)
    #expect(fetcher.requests.count { $0.hasSuffix("key") } == 2)
  }

  @Test func `a wrong key names itself`() async throws {
    let rows: [(Result<[UInt8], DownloadError>, String)] = [
      (.success(Array("Forbidden".utf8)), "9 bytes long instead of 16; it starts with “Forbidden”"),
      // What may be most of a key is not told.
      (.success([UInt8](repeating: 0x41, count: 15)), "15 bytes long instead of 16."),
      (.success([UInt8](200..<217)), "17 bytes long instead of 16."),
      (.success(Array("AQIDBAUGBwgJCgsMDQ4PEA==".utf8)), "24 bytes long instead of 16."),
      (.success([]), "0 bytes long"),
      (
        .failure(DownloadError(.notFound, "Not found on the server. (HTTP 404)", status: 404)),
        "The key cannot be had"
      ),
      // The right length and the wrong bytes: only the padding tells.
      (.success([UInt8](repeating: 1, count: 16)), "does not decrypt"),
    ]
    let playlist = try SampleSegments.playlist(
      "v", 1, tags: [0: "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key?secret=1\""])
    for (answer, words) in rows {
      let fetcher = ScriptedFetcher { path, _, _ in
        if path.hasSuffix("key") { return try answer.get() }
        return try BlockCipher.run(
          .encrypt, key: Array("0123456789abcdef".utf8), vector: Self.vector(0),
          over: SampleSegments.stream(path))
      }
      let error = await #expect(throws: DownloadError.self) { _ = try await run(fetcher, playlist) }
      #expect(
        error?.code == .integrity && error?.message.contains(words) == true,
        "\(String(describing: error))")
      #expect(error?.description.contains("secret") == false)
      #expect(error?.message.contains("segment 1 of 1") == true)
    }
  }

  @Test func `a key inside the playlist needs no request`() async throws {
    let key = Array("0123456789abcdef".utf8)
    let text = Data(key).base64EncodedString()
    let playlist = try SampleSegments.playlist(
      "v", 2,
      tags: [0: "#EXT-X-KEY:METHOD=AES-128,URI=\"data:application/octet-stream;base64,\(text)\""])
    let fetcher = ScriptedFetcher { path, _, _ in
      let number = path.contains("v1") ? 1 : 0
      return try BlockCipher.run(
        .encrypt, key: key, vector: Self.vector(UInt8(number)), over: SampleSegments.stream(path))
    }
    let expected = (0..<2).flatMap { SampleSegments.stream("/film/v\($0).ts") }
    #expect(try await run(fetcher, playlist) == expected)
    #expect(fetcher.requests.count == 2)
  }
}
