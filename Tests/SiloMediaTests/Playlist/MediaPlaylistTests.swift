import Foundation
import SiloMedia
import Testing

@Suite("Media playlists")
struct MediaPlaylistTests {
  private func media(_ text: String) throws -> MediaPlaylist {
    let url = try #require(URL(string: "https://h.example/v/list.m3u8"))
    guard case .media(let media) = try Playlist.parse(Array(text.utf8), url: url) else {
      throw MediaError(.internal, "no media playlist")
    }
    return media
  }

  @Test("Byte ranges without an offset continue the previous one of the same resource")
  func byteRanges() throws {
    let found = try media(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-MAP:URI="all.mp4",BYTERANGE="800@0"
      #EXTINF:4,
      #EXT-X-BYTERANGE:1000@800
      all.mp4
      #EXT-X-BYTERANGE:500
      #EXTINF:4,
      all.mp4
      #EXTINF:4,
      #EXT-X-BYTERANGE:10@
      all.mp4
      #EXT-X-ENDLIST
      """)
    #expect(found.segments.map(\.byteRange) == [800..<1800, 1800..<2300, 2300..<2310])
    #expect(found.segments[0].initSection?.byteRange == 0..<800)
  }

  @Test("A range after another resource, or after a whole one, has nothing to continue from")
  func brokenByteRanges() throws {
    for first in ["#EXT-X-BYTERANGE:5@0\nother.ts", "all.ts"] {
      let error = #expect(throws: MediaError.self) {
        try media("#EXTM3U\n#EXTINF:4,\n\(first)\n#EXTINF:4,\n#EXT-X-BYTERANGE:10\nall.ts")
      }
      #expect(error?.message.contains("nothing to continue from") == true)
    }
  }

  @Test("Keys, init sections and discontinuities apply from their line to the next of their kind")
  func scopes() throws {
    let found = try media(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-MEDIA-SEQUENCE:5000
      #EXT-X-DISCONTINUITY-SEQUENCE:3
      #EXT-X-MAP:URI="i1.mp4"
      #EXT-X-KEY:METHOD=AES-128,URI="k1"
      #EXTINF:4,
      a.m4s
      #EXT-X-GAP
      #EXTINF:4,
      b.m4s
      #EXT-X-DISCONTINUITY
      #EXT-X-KEY:METHOD=AES-128,URI="k2",IV=0x0F
      #EXT-X-MAP:URI="i2.mp4"
      #EXT-X-PROGRAM-DATE-TIME:2026-11-30T01:00:00.5+01:00
      #EXTINF:2,
      c.m4s
      #EXT-X-KEY:METHOD=NONE
      #EXTINF:4,
      d.m4s
      #EXT-X-ENDLIST
      """)
    let segments = found.segments
    #expect(segments.map(\.mediaSequence) == [5000, 5001, 5002, 5003])
    #expect(segments.map(\.discontinuity) == [3, 3, 4, 4])
    #expect(segments.map(\.start) == [.zero, .seconds(4), .seconds(8), .seconds(10)])
    #expect(segments.map(\.isGap) == [false, true, false, false])
    #expect(segments.map { $0.key?.url?.lastPathComponent } == ["k1", "k1", "k2", nil])
    #expect(
      segments.map { $0.initSection?.url.lastPathComponent } == [
        "i1.mp4", "i1.mp4", "i2.mp4", "i2.mp4",
      ])
    // The section before the key is clear; that under it has the explicit IV, and counts as no segment.
    #expect(segments.map { $0.initSection?.key?.explicitIV?.last } == [nil, nil, 15, 15])
    let zeros = [UInt8](repeating: 0, count: 14)
    #expect(
      segments.map(\.initializationVector) == [
        zeros + [0x13, 0x88], zeros + [0x13, 0x89], zeros + [0, 15], nil,
      ])
    #expect(segments[2].programDateTime == Date(timeIntervalSince1970: 1_795_996_800.5))
    #expect(found.encryption == .aes128)
  }

  @Test("A playlist says whether it is done, and a VOD without end is only promised")
  func completeness() throws {
    let body = "#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n"
    let rows: [(String, MediaPlaylist.Completeness)] = [
      ("#EXTM3U\n\(body)#EXT-X-ENDLIST", .ended),
      ("#EXTM3U\n#EXT-X-ENDLIST\n\(body)", .ended),
      ("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n\(body)", .promised),
      ("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n\(body)", .growing),
      ("#EXTM3U\n\(body)", .growing),
    ]
    for (text, wanted) in rows {
      #expect(try media(text).completeness == wanted, "\(text)")
    }
  }

  @Test("DRM is named with the line it was seen on; a plain alternative makes it no hindrance")
  func drm() throws {
    let plain = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\""
    let widevine =
      "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\","
      + "KEYFORMAT=\"urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED\",KEYFORMATVERSIONS=\"1\""
    let fairPlay =
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
    let playReady =
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"data:,x\",KEYFORMAT=\"com.microsoft.playready\""
    let rows: [(keys: String, wanted: Encryption, shows: String?)] = [
      (plain, .aes128, nil), (widevine, .drm("Widevine"), "Widevine (EXT-X-KEY, line 2)"),
      (fairPlay, .drm("FairPlay"), "FairPlay"), (playReady, .drm("PlayReady"), "PlayReady"),
      ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\"", .drm("FairPlay"), "FairPlay"),
      (
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"org.example\"", .drm("org.example"),
        "org.example"
      ),
      ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", .sampleAES, "SAMPLE-AES"),
      (widevine + "\n" + playReady, .drm("Widevine, PlayReady"), "Widevine, PlayReady"),
      (plain + "\n" + fairPlay, .aes128, nil),
      (fairPlay + "\n#EXT-X-KEY:METHOD=NONE", .none, nil),
    ]
    for row in rows {
      let found = try media("#EXTM3U\n\(row.keys)\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST")
      #expect(found.encryption == row.wanted, "\(row.keys)")
      do {
        try found.requireDecryptable()
        #expect(row.shows == nil, "\(row.keys)")
      } catch {
        #expect(error.code == .encrypted)
        #expect(error.message.contains(row.shows ?? "nothing"), "\(error)")
      }
    }
  }

  @Test("A key inside the playlist is read from its data URI")
  func inlineKeys() throws {
    let rows: [(String, [UInt8])] = [
      ("data:text/plain;base64,AAECAwQFBgcICQoLDA0ODw==", Array(0..<16)),
      ("data:,0123456789abcdef", Array("0123456789abcdef".utf8)),
      ("data:;charset=x,%00%ff", [0, 255]),
    ]
    for (reference, wanted) in rows {
      let found = try media(
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(reference)\"\n#EXTINF:4,\na.ts")
      #expect(found.segments[0].key?.inlineBytes == wanted, "\(reference)")
      #expect(found.segments[0].key?.url == nil, "\(reference)")
    }
  }
}
