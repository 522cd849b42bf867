import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("HLS that ffmpeg writes")
struct HLSFromFFmpegTests {
  /// Reads a playlist of the folder as if it came from a server.
  private func playlist(_ name: String, _ folder: TemporaryFolder) throws -> Playlist {
    let url = try #require(URL(string: "https://h.example/\(name)"))
    return try Playlist.parse(try folder.read(name), url: url)
  }

  private func media(_ name: String, _ folder: TemporaryFolder) throws -> MediaPlaylist {
    guard case .media(let media) = try playlist(name, folder) else {
      throw MediaError(.internal, "no media playlist")
    }
    return media
  }

  /// What the first segment of a rendition tells, behind its init section.
  private func first(
    _ segment: MediaSegment, _ folder: TemporaryFolder
  ) async throws -> HLSRendition.FirstSegment {
    let bytes = try folder.read(segment.url.lastPathComponent)
    let head = try segment.initSection.map { try folder.read($0.url.lastPathComponent) } ?? []
    let inventory = try await MediaInventory.probe(
      MediaSource(name: segment.url.lastPathComponent, bytes: head + bytes))
    return .init(
      inventory: inventory, byteCount: Int64(bytes.count), duration: segment.duration)
  }

  private func byteCount(_ prefix: String, _ folder: TemporaryFolder) throws -> Int64 {
    try folder.names().filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".m3u8") }
      .reduce(Int64(0)) { $0 + Int64(try folder.read($1).count) }
  }

  @Test(
    "Muxed Turkish and English and German apart are listed, with bytes close to what is there",
    arguments: ["mpegts", "fmp4"])
  func inventory(form: String) async throws {
    let folder = try TemporaryFolder()
    let (type, ending) = form == "fmp4" ? ("fmp4", "m4s") : ("mpegts", "ts")
    try await Media.make(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=24", "-f", "lavfi", "-i",
        "sine=440:d=24", "-f", "lavfi", "-i", "sine=550:d=24", "-f", "lavfi", "-i",
        "sine=660:d=24", "-map", "0:v", "-map", "1:a", "-map", "2:a", "-c:v", "libx264", "-g",
        "50", "-preset", "ultrafast", "-c:a", "aac", "-b:a", "64k", "-metadata:s:a:0",
        "language=tur", "-metadata:s:a:1", "language=eng", "-f", "hls", "-hls_time", "4",
        "-hls_playlist_type", "vod", "-hls_segment_type", type, "-hls_fmp4_init_filename",
        "vinit.mp4", "-hls_segment_filename", "v%d.\(ending)", "v.m3u8", "-map", "3:a", "-c:a",
        "ac3", "-b:a", "192k", "-f", "hls", "-hls_time", "4", "-hls_playlist_type", "vod",
        "-hls_segment_type", type, "-hls_fmp4_init_filename", "ainit.mp4",
        "-hls_segment_filename", "a%d.\(ending)", "a.m3u8",
      ], in: folder.path(""))
    let (videoBytes, audioBytes) = (try byteCount("v", folder), try byteCount("a", folder))
    let average = (videoBytes + audioBytes) * 8 / 24
    _ = try folder.write(
      "master.m3u8",
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="Türkçe",LANGUAGE="tr",DEFAULT=YES
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="Deutsch",LANGUAGE="de",URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=\(2 * average),AVERAGE-BANDWIDTH=\(average),AUDIO="g"
      v.m3u8

      """)
    guard case .multivariant(let master) = try playlist("master.m3u8", folder) else {
      Issue.record("no multivariant playlist")
      return
    }
    let choice = try HLSVariantChoice(master)
    var playlists: [URL: MediaPlaylist] = [:]
    for url in choice.playlistURLs {
      playlists[url] = try media(url.lastPathComponent, folder)
    }
    var found = try HLSPresentation(choice, of: master, playlists: playlists)
    for (index, segment) in found.firstSegments {
      found.record(try await first(segment, folder), rendition: index)
    }
    let inventory = found.inventory()
    #expect(found.inventoryWarnings().isEmpty)
    #expect(inventory.audio.map(\.language?.description) == ["tr", "en", "de"])
    #expect(inventory.audio.map(\.codec) == ["aac", "aac", "ac3"])
    #expect(inventory.audio.map(\.sampleRate) == [44100, 44100, 44100])
    #expect(inventory.audio.map(\.isDefault) == [true, false, false])
    #expect(inventory.video.map(\.codec) == ["h264"])
    #expect(inventory.video.map(\.height) == [90])
    let length = try #require(inventory.duration)
    #expect(length > .milliseconds(23_900) && length < .milliseconds(24_100))
    let german = inventory.audio[2].size
    #expect(german.basis == .measured)
    expect(german, within: 0.1, of: audioBytes)
    expect(inventory.size, within: 0.4, of: videoBytes + audioBytes)
    for track in inventory.audio.prefix(2) {
      expect(track.size, within: 0.4, of: 64_000 / 8 * 24)
    }
  }

  private func expect(_ size: SizeEstimate, within share: Double, of truth: Int64) {
    let error = Double((size.byteCount ?? 0) - truth) / Double(truth)
    #expect(abs(error) <= share, "\(size) for \(truth)")
  }
}
