import Foundation
import SiloMedia
import Testing

/// The table of cases that probe, download, playback and server have to agree on.
@Suite struct SelectionVectorTests {
  struct Vector: Decodable {
    struct Track: Decodable {
      let index: Int
      let lang: String?
      let `default`: Int?
      let original: Int?
      let commentary: Int?
      let ad: Int?
      let usable: Bool?
      let ch: Int?
      let mb: Int64?
    }
    struct Options: Decodable {
      let ad: String?
      let maxch: Int?
      let mode: String?
      let budget: Int64?
      let keep_original: Int?
    }
    struct Expectation: Decodable {
      let selected: [Int]
      let `default`: Int?
    }
    let id: Int
    let name: String
    let tracks: [Track]
    let preferences: [String]
    let options: Options
    let expect: Expectation

    var inventory: MediaInventory {
      MediaInventory(
        kind: .file,
        audio: tracks.map { track in
          let megabytes = track.mb.map { SizeEstimate(byteCount: $0 << 20, basis: .exact) }
          return AudioTrack(
            id: TrackID(.audio, track.index), place: .stream(track.index),
            language: LanguageTag(track.lang ?? ""), storedLanguage: track.lang, codec: "aac",
            channels: track.ch, isDefault: track.default == 1,
            role: track.commentary == 1 ? .commentary : track.ad == 1 ? .description : .main,
            isOriginal: track.original == 1, isUsable: track.usable ?? true,
            size: megabytes ?? .unknown)
        })
    }

    var wishes: TrackWishes {
      TrackWishes(
        audio: preferences.compactMap { TrackWishes.AudioWish($0) },
        prefersDescription: options.ad == "prefer", keepsOriginal: options.keep_original == 1,
        maximumChannels: options.maxch,
        mode: options.mode.flatMap(TrackWishes.Mode.init(rawValue:)) ?? .best,
        audioBudget: options.budget.map { $0 << 20 })
    }
  }

  private func vectors() throws -> [Vector] {
    let url = try #require(
      Bundle.module.url(
        forResource: "language-selection", withExtension: "json", subdirectory: "Vectors"))
    return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
  }

  @Test func `every vector selects what the table says`() throws {
    let vectors = try vectors()
    #expect(vectors.count == 50)
    for vector in vectors {
      let selection = try vector.inventory.select(vector.wishes)
      let title = "\(vector.id) \(vector.name)"
      #expect(vector.wishes.audio.count == vector.preferences.count, "\(title)")
      #expect(selection.audioInFileOrder.map(\.ordinal) == vector.expect.selected, "\(title)")
      #expect(selection.defaultAudio?.ordinal == vector.expect.default, "\(title)")
      #expect(selection.audio.first == selection.defaultAudio, "\(title)")
      // Every track has its sentence.
      #expect(selection.reasons.count == vector.tracks.count, "\(title)")
    }
    let overBudget = try #require(vectors.first { $0.id == 41 })
    #expect(try !overBudget.inventory.select(overBudget.wishes).warnings.isEmpty)
  }

  @Test func `the order in which tracks are listed never matters`() throws {
    for vector in try vectors() {
      var inventory = vector.inventory
      let expected = try inventory.select(vector.wishes)
      inventory.audio.reverse()
      let reversed = try inventory.select(vector.wishes)
      #expect(reversed.audio == expected.audio, "\(vector.id) \(vector.name)")
    }
  }

  @Test func `selecting from what was selected gives the same default`() throws {
    for vector in try vectors() {
      var inventory = vector.inventory
      let first = try inventory.select(vector.wishes)
      inventory.audio = inventory.audio.filter { first.audio.contains($0.id) }
      let second = try inventory.select(vector.wishes)
      #expect(second.defaultAudio == first.defaultAudio, "\(vector.id) \(vector.name)")
      #expect(second.audio == first.audio, "\(vector.id) \(vector.name)")
    }
  }
}
