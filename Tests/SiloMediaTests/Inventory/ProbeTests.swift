import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("Probe") struct ProbeTests {
  @Test(
    "a film's tracks, languages, roles, chapters and title are those that it was made with",
    arguments: ["end.mp4", "fast.mp4", "fragments.mp4", "plain.mkv"])
  func film(_ name: String) async throws {
    let inventory = try await MediaInventory.probe(try await InventoryFixtures.source(name))
    #expect(inventory.container == (name.hasSuffix("mkv") ? "mkv" : "mp4"))
    #expect(inventory.title == "The Film")
    #expect(inventory.chapters.map(\.title) == ["One", "Two"])
    #expect(inventory.chapters.map(\.start) == [.zero, .seconds(2)])
    let video = try #require(inventory.video.first)
    #expect(inventory.video.count == 1)
    #expect([video.width, video.height] == [160, 90])
    #expect(abs((video.frameRate ?? 0) - 24) < 0.01)
    #expect(inventory.audio.map(\.language?.description) == ["en", "tr"])
    #expect(inventory.audio.map(\.storedLanguage) == ["eng", "tur"])
    #expect(inventory.audio.map(\.title) == ["Main", "Commentary"])
    #expect(inventory.audio.map(\.codec.name) == ["aac", "ac3"])
    #expect(inventory.audio.map(\.channels) == [1, 6])
    #expect(inventory.audio.map(\.layout) == ["mono", "5.1(side)"])
    #expect(inventory.audio.map(\.sampleRate) == [48000, 48000])
    #expect(inventory.audio.map(\.role) == [.main, .commentary])
    #expect(inventory.subtitles.map(\.language?.description) == ["de"])
    #expect(inventory.subtitles.map(\.isForced) == [name.hasSuffix("mkv")])
    let seconds = try #require(inventory.duration).components.seconds
    #expect(seconds == 6 || seconds == 5)
  }

  @Test(
    "exact sizes are the bytes of the packets",
    arguments: ["end.mp4", "fast.mp4", "fragments.mp4", "tagged.mkv"])
  func exact(_ name: String) async throws {
    let inventory = try await MediaInventory.probe(try await InventoryFixtures.source(name))
    let path = try await InventoryFixtures.folder.path(name)
    for (index, size) in (inventory.video.map(\.size) + inventory.audio.map(\.size)).enumerated() {
      #expect(size.basis == .exact)
      #expect(size.byteCount == (try await packetBytes(path, stream: index)))
    }
  }

  @Test(
    "sizes that are not exact keep what their basis promises",
    arguments: ["plain.mkv", "segment.ts", "film.webm", "sound.mp3", "sound.flac"])
  func estimated(_ name: String) async throws {
    let path = try await InventoryFixtures.folder.path(name)
    let remote = MediaSource(
      name: name, bytes: CountingByteSource(try FileByteSource(URL(fileURLWithPath: path))))
    for source in [remote, try await InventoryFixtures.source(name)] {
      let inventory = try await MediaInventory.probe(source)
      let sizes = inventory.video.map(\.size) + inventory.audio.map(\.size)
      for (index, size) in sizes.enumerated() {
        let truth = Double(try await packetBytes(path, stream: index))
        let tolerance: [SizeEstimate.Basis: Double] = [.exact: 0, .measured: 0.1, .declared: 0.4]
        guard let estimate = size.byteCount, let allowed = tolerance[size.basis] else { continue }
        #expect(abs(Double(estimate) - truth) <= allowed * truth, "\(name) stream \(index)")
      }
    }
  }

  @Test("Matroska languages come from BCP-47, and its flags survive")
  func matroska() async throws {
    let inventory = try await MediaInventory.probe(try await InventoryFixtures.source("tagged.mkv"))
    #expect(inventory.audio.map(\.storedLanguage) == ["pt-BR", "zh-Hant"])
    #expect(inventory.audio.map(\.language?.description) == ["pt-BR", "zh-Hant"])
    #expect(inventory.audio.map(\.title) == ["Main", "Yorum"])
    #expect(inventory.audio.map(\.isOriginal) == [true, false])
    #expect(inventory.audio.map(\.role) == [.main, .commentary])
    #expect(inventory.subtitles.map(\.isHearingImpaired) == [true])
    #expect(inventory.subtitles.map(\.isForced) == [true])
  }

  @Test(
    "every container has its name and its one track",
    arguments: [
      ("sound.mp3", "mp3", "mp3"), ("sound.flac", "flac", "flac"), ("sound.aac", "aac", "aac"),
      ("sound.wav", "wav", "pcm_s16le"), ("sound.ogg", "ogg", "vorbis"),
      ("sound.ac3", "ac3", "ac3"),
    ])
  func sounds(_ name: String, _ container: String, _ codec: String) async throws {
    let inventory = try await MediaInventory.probe(try await InventoryFixtures.source(name))
    #expect(inventory.container == container)
    #expect(inventory.audio.map(\.codec.name) == [codec])
    #expect(inventory.video.isEmpty)
    #expect(abs((inventory.duration ?? .zero).components.seconds - 6) <= 1)
  }

  @Test("a segment in memory lists every audio of its program, packed audio behind an ID3 tag too")
  func segments() async throws {
    let folder = try await InventoryFixtures.folder
    let stream = try await MediaInventory.probe(
      MediaSource(name: "segment", bytes: try folder.read("segment.ts")))
    #expect(stream.container == "mpegts")
    #expect(stream.audio.map(\.language?.description) == ["en", "fr"])
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count + 8), 0, 0] + owner
    let body = frame + [0, 0, 0, 0, 0, 1, 0x5F, 0x90]
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(body.count)] + body
    for (name, codec) in [("sound.aac", "aac"), ("sound.mp3", "mp3"), ("sound.ac3", "ac3")] {
      let packed = try await MediaInventory.probe(
        MediaSource(name: name, bytes: tag + (try folder.read(name))))
      #expect(packed.audio.map(\.codec.name) == [codec])
      #expect(packed.audio.map(\.sampleRate) == [48000])
    }
  }
}
