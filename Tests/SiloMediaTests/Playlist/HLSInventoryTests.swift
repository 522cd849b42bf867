import Foundation
import SiloMedia
import Testing

@Suite("Inventory of HLS")
struct HLSInventoryTests {
  private static let base = "https://h.example/v/"

  private func url(_ name: String) throws -> URL { try #require(URL(string: Self.base + name)) }

  private func master(_ text: String) throws -> MultivariantPlaylist {
    guard
      case .multivariant(let master) = try Playlist.parse(
        Array("#EXTM3U\n\(text)\n".utf8), url: try url("master.m3u8"))
    else { throw MediaError(.internal, "no multivariant playlist") }
    return master
  }

  /// Ten segments of six seconds.
  private func media(_ name: String, ranges: Int? = nil) throws -> MediaPlaylist {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
    for index in 0..<10 {
      text += "#EXTINF:6,\n"
      if let ranges { text += "#EXT-X-BYTERANGE:\(ranges)@\(index * ranges)\n" }
      text += ranges == nil ? "\(index).ts\n" : "all.ts\n"
    }
    guard
      case .media(let media) = try Playlist.parse(
        Array("\(text)#EXT-X-ENDLIST\n".utf8), url: try url(name))
    else { throw MediaError(.internal, "no media playlist") }
    return media
  }

  private func presentation(
    _ text: String, ranges: [String: Int] = [:]
  ) throws -> HLSPresentation {
    let master = try master(text)
    let choice = try HLSVariantChoice(master)
    var playlists: [URL: MediaPlaylist] = [:]
    for url in choice.playlistURLs {
      let name = url.lastPathComponent
      playlists[url] = try media(name, ranges: ranges[name])
    }
    return try HLSPresentation(choice, of: master, playlists: playlists)
  }

  private func sound(_ codec: Codec, _ language: String?, channels: Int = 2) -> AudioTrack {
    AudioTrack(
      id: TrackID(.audio, 0), place: .stream(0), language: language.flatMap { LanguageTag($0) },
      storedLanguage: language, codec: codec, channels: channels, sampleRate: 48000)
  }

  private func first(
    video: Bool = false, _ audio: [AudioTrack], byteCount: Int64 = 120_000
  ) -> HLSRendition.FirstSegment {
    let picture = VideoTrack(id: TrackID(.video, 0), place: .stream(0), codec: "h264")
    return .init(
      inventory: MediaInventory(
        kind: .file, container: "mpegts", video: video ? [picture] : [], audio: audio),
      byteCount: byteCount, duration: .seconds(6))
  }

  @Test("The variant is the one that the wish names, pixels before bits")
  func variants() throws {
    let text = """
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      sound.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720
      720.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1280x720
      720high.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1280x720
      720other.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1920x1080
      1080.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360
      360.m3u8
      """
    let rows: [(TrackWishes.VideoWish, String, warnings: Int, alternates: [String])] = [
      (.best, "1080.m3u8", 0, []), (.worst, "360.m3u8", 0, []),
      (.height(720), "720high.m3u8", 0, ["720other.m3u8"]),
      (.height(1000), "720high.m3u8", 0, ["720other.m3u8"]),
      (.height(5000), "1080.m3u8", 0, []), (.height(100), "360.m3u8", 1, []),
    ]
    for row in rows {
      let choice = try HLSVariantChoice(try master(text), wish: row.0)
      #expect(choice.variant.url.lastPathComponent == row.1, "\(row.0)")
      #expect(choice.warnings.count == row.warnings, "\(row.0)")
      #expect(choice.alternates.map(\.url.lastPathComponent) == row.alternates, "\(row.0)")
    }
    let audioOnly = """
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
      high.m3u8
      """
    for (wish, name) in [
      (TrackWishes.VideoWish.best, "high.m3u8"), (.height(720), "high.m3u8"), (.worst, "low.m3u8"),
    ] {
      let choice = try HLSVariantChoice(try master(audioOnly), wish: wish)
      #expect(choice.variant.url.lastPathComponent == name, "\(wish)")
    }
  }

  @Test("Only the chosen variant's playlists are needed, each once")
  func needed() throws {
    let choice = try HLSVariantChoice(
      try master(
        """
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="One",URI="a1.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="One again",URI="a1.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="other",NAME="Two",URI="a2.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Text",URI="s1.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=2x2,AUDIO="a",SUBTITLES="s"
        v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1,AUDIO="other"
        w.m3u8
        """))
    #expect(choice.playlistURLs.map(\.lastPathComponent) == ["v.m3u8", "a1.m3u8", "s1.m3u8"])
    #expect(choice.renditions.map(\.name) == ["One", "One again", "Text"])
  }

  @Test("Muxed languages, renditions without URI and renditions apart are all listed, in order")
  func muxed() throws {
    var found = try presentation(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="ger",URI="de.m3u8",CHANNELS="6"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Türkçe",LANGUAGE="tr",DEFAULT=YES
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Klingon",LANGUAGE="tlh"
      #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
      v.m3u8
      """)
    #expect(found.firstSegments.map(\.rendition) == [0, 1])
    found.record(first(video: true, [sound("aac", "eng"), sound("aac", "tur")]), rendition: 0)
    found.record(first([sound("ac3", nil, channels: 2)]), rendition: 1)
    let inventory = found.inventory()
    #expect(inventory.kind == .hls)
    #expect(inventory.container == "mpegts")
    #expect(inventory.duration == .seconds(60))
    #expect(inventory.audio.map(\.id.description) == ["a0", "a1", "a2"])
    #expect(inventory.audio.map(\.language?.description) == ["de", "en", "tr"])
    #expect(inventory.audio.map(\.title) == ["Deutsch", nil, "Türkçe"])
    #expect(inventory.audio.map(\.isDefault) == [false, false, true])
    #expect(
      inventory.audio.map(\.place) == [
        .rendition(1, ordinal: 0), .rendition(0, ordinal: 0), .rendition(0, ordinal: 1),
      ])
    #expect(inventory.audio[0].channels == 2)
    #expect(inventory.video.map(\.height) == [360])
    let warnings = found.inventoryWarnings()
    #expect(warnings.count == 2)
    #expect(warnings.contains { $0.contains("Klingon") })
    #expect(warnings.contains { $0.contains("6 channels") })
  }

  @Test("Language comes from LANGUAGE, else from NAME; role, flags and titles from the attributes")
  func attributes() throws {
    let described = "CHARACTERISTICS=\"public.accessibility.describes-video\""
    let sounds =
      "CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
      + "public.accessibility.describes-music-and-sound\""
    let found = try presentation(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Türkçe",LANGUAGE="",URI="1.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="2.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,\(described),URI="3.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Director's Commentary",LANGUAGE="eng",URI="4.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="pt",LANGUAGE="pt-BR",CHANNELS="16/JOC",URI="5.m3u8"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",FORCED=YES,URI="6.m3u8"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",\(sounds),DEFAULT=YES,URI="7.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="hvc1.2,ec-3",VIDEO-RANGE=PQ,AUDIO="a",SUBTITLES="s"
      v.m3u8
      """
    ).inventory()
    #expect(found.audio.map(\.language?.description) == ["tr", "en", "en", "en", "pt-BR"])
    #expect(
      found.audio.map { $0.inferences.contains(.language) } == [true, false, false, false, false])
    #expect(found.audio.map(\.role) == [.main, .main, .description, .commentary, .main])
    #expect(
      found.audio.map { $0.inferences.contains(.role) } == [false, false, false, true, false])
    #expect(found.audio.map(\.isDefault) == [false, true, false, false, false])
    #expect(found.audio.map(\.codec) == Array(repeating: "eac3", count: 5))
    #expect(found.audio[4].channels == 16)
    #expect(
      found.audio.map(\.storedLanguage)
        == ["", "en", "en", "eng", "pt-BR"].map { $0.isEmpty ? nil : $0 })
    #expect(found.subtitles.map(\.isForced) == [true, false])
    #expect(found.subtitles.map(\.isHearingImpaired) == [false, true])
    #expect(found.subtitles.map(\.isDefault) == [false, true])
    #expect(found.subtitles.map(\.codec) == ["webvtt", "webvtt"])
    #expect(found.subtitles.map(\.place) == [.rendition(6, ordinal: 0), .rendition(7, ordinal: 0)])
    #expect(found.video.map(\.codec) == ["hevc"])
    #expect(found.video.map(\.dynamicRange) == [.hdr10])
  }

  @Test("Each number of bytes says what it rests on")
  func sizes() throws {
    let text = """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="One",URI="a.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=4000000,AVERAGE-BANDWIDTH=2160000,CODECS="avc1.4d401f,ac-3",AUDIO="a"
      v.m3u8
      """
    let exact = try presentation(text, ranges: ["v.m3u8": 1_000_000, "a.m3u8": 100_000]).inventory()
    #expect(exact.video[0].size == SizeEstimate(byteCount: 10_000_000, basis: .exact))
    #expect(exact.audio[0].size == SizeEstimate(byteCount: 1_000_000, basis: .exact))
    #expect(exact.size == SizeEstimate(byteCount: 11_000_000, basis: .exact))

    // 120000 bytes in 6 s are 160 kbit/s; AC-3 keeps its rate, AAC need not.
    for (codec, basis) in [(Codec("ac3"), SizeEstimate.Basis.measured), ("aac", .assumed)] {
      var found = try presentation(text)
      found.record(first(video: true, [], byteCount: 9_000_000), rendition: 0)
      found.record(first([sound(codec, "en")]), rendition: 1)
      let inventory = found.inventory()
      #expect(inventory.audio[0].size == SizeEstimate(byteCount: 1_200_000, basis: basis))
      #expect(inventory.audio[0].bitsPerSecond == 160_000)
      // The average covers one audio rendition too: (2160 − 160) kbit/s for a minute.
      #expect(inventory.video[0].size == SizeEstimate(byteCount: 15_000_000, basis: .declared))
    }
  }

  @Test("A media playlist given directly is one rendition")
  func direct() throws {
    var found = HLSPresentation(try media("list.m3u8"))
    #expect(found.firstSegments.count == 1)
    found.record(first(video: true, [sound("aac", "eng"), sound("aac", "tur")]), rendition: 0)
    let inventory = found.inventory()
    #expect(inventory.audio.map(\.language?.description) == ["en", "tr"])
    #expect(inventory.video.count == 1)
    #expect(inventory.size.byteCount == 1_200_000)
  }

  @Test("DRM that only the session keys name is refused as well")
  func sessionKeys() throws {
    let found = try presentation(
      """
      #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
      #EXT-X-STREAM-INF:BANDWIDTH=1
      v.m3u8
      """)
    #expect(found.encryption == .drm("FairPlay"))
    let error = #expect(throws: MediaError.self) { try found.requireDecryptable() }
    #expect(error?.code == .encrypted)
    #expect(error?.message.contains("EXT-X-SESSION-KEY, line 2") == true)
  }

  @Test("Chapters take the title in the wanted language")
  func chapters() throws {
    let json = """
      [{"chapter":1,"start-time":0,"duration":10.5,"titles":[{"language":"en","title":"Start"},{"language":"tr","title":"Başlangıç"}]},
       {"chapter":3,"start-time":30},{"start-time":"bad"},
       {"chapter":2,"start-time":10.5,"duration":19.5,"titles":[{"title":"Middle"}]}]
      """
    let turkish = try #require(LanguageTag("tur"))
    let found = try HLSChapters.parse(Array(json.utf8), languages: [turkish])
    #expect(
      found == [
        Chapter(start: .zero, end: .milliseconds(10_500), title: "Başlangıç"),
        Chapter(start: .milliseconds(10_500), end: .seconds(30), title: "Middle"),
        Chapter(start: .seconds(30), end: nil, title: "Chapter 3"),
      ])
    #expect(throws: MediaError.self) { try HLSChapters.parse(Array("{}".utf8)) }
  }
}
