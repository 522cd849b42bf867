import SiloMedia
import Testing

@Suite struct SelectionPropertyTests {
  private static let tags = [
    "tr", "tur", "tr-TR", "en", "en-US", "ger", "de", "pt-BR", "pt", "zh-TW", "zh-Hans", "und", "",
    "xx", "mul", "zxx", "qaa", "nb", "nn", "fil", "\0", "🎬", "English",
  ]
  private static let wishes = [
    "tr", "en", "pt-BR", "zh-Hant", "und", "original", "default", "all", "no",
  ]

  private func track(_ index: Int, _ random: inout some RandomNumberGenerator) -> AudioTrack {
    let role = [TrackRole.main, .main, .commentary, .description].randomElement(using: &random)
    return AudioTrack(
      id: TrackID(.audio, index), place: .stream(index),
      language: LanguageTag(Self.tags.randomElement(using: &random) ?? ""), codec: "aac",
      channels: [nil, 1, 2, 6, 8].randomElement(using: &random) ?? nil,
      isDefault: Bool.random(using: &random), role: role ?? .main,
      isOriginal: Int.random(in: 0..<4, using: &random) == 0,
      isUsable: Int.random(in: 0..<6, using: &random) > 0,
      size: SizeEstimate(byteCount: Int64.random(in: 0..<1000, using: &random), basis: .declared),
      bitsPerSecond: [nil, 96_000, 640_000].randomElement(using: &random) ?? nil)
  }

  private func wishes(_ random: inout some RandomNumberGenerator) -> TrackWishes {
    let count = Int.random(in: 0..<4, using: &random)
    let modes: [TrackWishes.Mode] = [.best, .best, .matching, .all, .onlyDefault]
    return TrackWishes(
      audio: (0..<count).compactMap { _ in
        TrackWishes.AudioWish(Self.wishes.randomElement(using: &random) ?? "tr")
      },
      wantsCommentary: Bool.random(using: &random), wantsDescription: Bool.random(using: &random),
      prefersDescription: Bool.random(using: &random), keepsOriginal: Bool.random(using: &random),
      maximumChannels: [nil, 2, 6].randomElement(using: &random) ?? nil,
      mode: modes.randomElement(using: &random) ?? .best,
      audioBudget: [nil, nil, 500].randomElement(using: &random) ?? nil)
  }

  @Test func `every permutation of four tracks selects the same tracks`() throws {
    var random = Seeded(state: 7)
    for round in 0..<40 {
      let tracks = (0..<4).map { track($0, &random) }
      let wishes = wishes(&random)
      let expected = try MediaInventory(kind: .file, audio: tracks).select(wishes)
      for order in permutations([0, 1, 2, 3]) {
        let inventory = MediaInventory(kind: .file, audio: order.map { tracks[$0] })
        let selection = try inventory.select(wishes)
        #expect(
          selection.audio == expected.audio && selection.reasons == expected.reasons, "\(round)")
      }
    }
  }

  @Test func `whatever the tags, something is selected, and its default stays`() throws {
    var random = Seeded(state: 11)
    for round in 0..<400 {
      var inventory = MediaInventory(
        kind: .file, audio: (0..<Int.random(in: 1..<7, using: &random)).map { track($0, &random) })
      let wishes = wishes(&random)
      let selection = try inventory.select(wishes)
      #expect(
        selection.defaultAudio != nil && selection.defaultAudio == selection.audio.first, "\(round)"
      )
      #expect(Set(selection.audio).count == selection.audio.count, "\(round)")
      #expect(selection.reasons.count == inventory.audio.count, "\(round)")
      inventory.audio = inventory.audio.filter { selection.audio.contains($0.id) }
      #expect(try inventory.select(wishes).defaultAudio == selection.defaultAudio, "\(round)")
    }
  }

  @Test func `no two tracks share a place in the order`() {
    var random = Seeded(state: 13)
    for _ in 0..<100 {
      let wishes = wishes(&random)
      let orders = (0..<8).map { TrackOrder(track($0, &random), wishes: wishes) }
      #expect(Set(orders).count == 8)
    }
  }

  private func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { item in
      permutations(items.filter { $0 != item }).map { [item] + $0 }
    }
  }

  /// The same numbers every run (SplitMix64).
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }
}
