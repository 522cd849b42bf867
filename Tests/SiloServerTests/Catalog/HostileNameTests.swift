import Testing

@testable import SiloServer

@Suite("Hostile names and notes")
struct HostileNameTests {
  /// The same numbers in every run.
  struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let pieces = [
    "S", "E", "s01e02", "1x02", "x", "-", "–", ".", "_", " ", "(", ")", "[", "]", "{", "}", "2021",
    "(2021)", "99999999999999999999", "tmdbid-1", "edition-", "Season ", "1080p", "ğ", "é",
    "\u{301}",
    "日本", "🎬", "\u{202E}", "\0", "\n", "/", "'", "sample", "hi", "en", "<", ">", "&", "<movie>",
    "</movie>", "<title>", "<!--", "]]>", "<![CDATA[", "\"", "=",
  ]

  @Test("Whatever a name or a note is made of, reading it ends", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var dice = Dice(state: seed)
    var names: CatalogPlanner.Names = [:]
    for _ in 0..<100 {
      let count = Int.random(in: 0...14, using: &dice)
      let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &dice) }.joined()
      let name = MediaName(text, isInSeason: seed % 2 == 0)
      for number in name.number?.episodes ?? [] { #expect(number >= 0) }
      #expect(name.number.map { $0.episodes.count <= EpisodeNumber.mostInOneFile } ?? true)
      _ = FolderRole(text)
      _ = SidecarName(marks: text)
      _ = ExtraName.isExtra(text)
      let read = try? NotesReader.read(Array(text.utf8))
      #expect((read ?? []).count <= 100)
      let folder = text.replacing("/", with: "")
      let files = ["", ".en"].map { mark in
        FoundFile(
          folder: folder, name: folder + mark + (mark.isEmpty ? ".mkv" : ".srt"),
          kind: mark.isEmpty ? .video : .subtitle("srt"), byteCount: 1, modified: 1, inode: 1)
      }
      let plan = CatalogPlanner.plan(files, rootName: text, names: &names)
      #expect(plan.media.count <= 1)
    }
  }
}
