import SiloMedia
import Testing

@Suite struct SelectionTests {
  /// tr 5.1 default, en stereo, en commentary, en description, ja original by flag.
  private let film = MediaInventory(
    kind: .file, container: "mkv", size: SizeEstimate(byteCount: 1_000_500, basis: .exact),
    video: [
      VideoTrack(
        id: TrackID(.video, 0), place: .stream(0), codec: "h264",
        size: SizeEstimate(byteCount: 900_000, basis: .measured)),
      VideoTrack(
        id: TrackID(.video, 1), place: .stream(9), codec: "mjpeg",
        size: SizeEstimate(byteCount: 500, basis: .exact)),
    ],
    audio: [
      audio(0, "tr", channels: 6, isDefault: true), audio(1, "en"),
      audio(2, "en", role: .commentary, inferences: [.role]), audio(3, "en", role: .description),
      audio(4, "ja", isOriginal: true),
    ],
    subtitles: [
      subtitle(0, "tr"), subtitle(1, "en"), subtitle(2, "en", isHearingImpaired: true),
      subtitle(3, "tr", isForced: true), subtitle(4, nil),
    ])

  private static func audio(
    _ n: Int, _ language: String, channels: Int = 2, isDefault: Bool = false,
    role: TrackRole = .main, isOriginal: Bool = false, inferences: Set<AudioTrack.Inference> = []
  ) -> AudioTrack {
    AudioTrack(
      id: TrackID(.audio, n), place: .stream(n + 1), language: LanguageTag(language), codec: "aac",
      channels: channels, layout: channels == 6 ? "5.1" : "stereo", isDefault: isDefault,
      role: role,
      isOriginal: isOriginal, inferences: inferences,
      size: SizeEstimate(byteCount: 10_000 * Int64(n + 1), basis: .measured))
  }

  private static func subtitle(
    _ n: Int, _ language: String?, isForced: Bool = false, isHearingImpaired: Bool = false
  ) -> SubtitleTrack {
    SubtitleTrack(
      id: TrackID(.subtitle, n), place: .stream(n + 10),
      language: language.flatMap { LanguageTag($0) },
      codec: "subrip", isForced: isForced, isHearingImpaired: isHearingImpaired)
  }

  @Test func `lists, roles and named tracks keep what they say`() throws {
    let rows:
      [(list: String, change: (inout TrackWishes) -> Void, audio: String, missing: String)] = [
        ("", { _ in }, "a0 a4 a1 a3 a2", ""),
        ("en", { _ in }, "a1", ""), ("en,tr", { _ in }, "a1 a0", ""),
        ("tr,de", { _ in }, "a0", "de"),
        ("en", { $0.wantsCommentary = true }, "a1 a2", ""),
        ("en", { $0.wantsDescription = true }, "a1 a3", ""),
        ("en", { $0.prefersDescription = true }, "a3 a1", ""),
        ("tr", { $0.wantsCommentary = true }, "a0", ""), ("all", { _ in }, "a0 a4 a1 a3 a2", ""),
        ("en,all", { _ in }, "a1 a3 a0 a4 a2", ""), ("original,en", { _ in }, "a4 a1", ""),
        ("default", { _ in }, "a0", ""), ("de,fr", { _ in }, "a0", "de,fr"),
        ("en", { $0.mode = .matching }, "a1 a3", ""), ("en", { $0.mode = .onlyDefault }, "a1", ""),
        ("", { $0.audioTracks = [TrackID(.audio, 3), TrackID(.audio, 1)] }, "a3 a1", ""),
        ("en", { $0.audioTracks = [TrackID(.audio, 0), TrackID(.audio, 1)] }, "a1 a0", ""),
      ]
    for row in rows {
      var wishes = TrackWishes()
      if !row.list.isEmpty { wishes.audio = try TrackWishes.audioList(row.list) }
      row.change(&wishes)
      let selection = try film.select(wishes)
      let ids = selection.audio.map(\.description).joined(separator: " ")
      #expect(ids == row.audio, "\(row.list)")
      #expect(selection.missing.joined(separator: ",") == row.missing, "\(row.list)")
      #expect(selection.isFallback == (row.list == "de,fr"), "\(row.list)")
    }
  }

  @Test func `original falls through to the next entry when nothing is flagged`() throws {
    var film = film
    film.audio[4].isOriginal = false
    let selection = try film.select(TrackWishes(audio: TrackWishes.audioList("original,en")))
    #expect(selection.audio.map(\.ordinal) == [1] && selection.missing == ["original"])
    let strict = TrackWishes(audio: try TrackWishes.audioList("original,en"), requiresAudio: true)
    #expect(try film.select(strict).audio.map(\.ordinal) == [1])
  }

  @Test func `a required language that is missing is named, with what there is`() throws {
    let wishes = TrackWishes(audio: try TrackWishes.audioList("tr,de"), requiresAudio: true)
    let error = #expect(throws: MediaError.self) { try film.select(wishes) }
    #expect(error?.code == .notFound)
    for part in ["German (de)", "a0 Turkish (tr)", "a2 English (en, commentary)"] {
      #expect(error?.message.contains(part) == true, "\(part)")
    }
    let named = TrackWishes(audioTracks: [TrackID(.audio, 9)])
    let missing = #expect(throws: MediaError.self) { try film.select(named) }
    #expect(missing?.code == .notFound && missing?.message.contains("a9") == true)
  }

  @Test func `subtitles follow their list, and forced ones the default audio`() throws {
    let rows: [(subs: String, audio: String, kept: [Int])] = [
      ("all", "tr", [0, 1, 2, 3, 4]), ("none", "tr", [3]), ("none", "en", []),
      ("en", "tr", [1, 2, 3]),
      ("en", "en", [1, 2]), ("tr,en", "en", [0, 1, 2, 3]), ("de", "en", []),
    ]
    for row in rows {
      let wishes = TrackWishes(
        audio: try TrackWishes.audioList(row.audio),
        subtitles: try TrackWishes.subtitleList(row.subs))
      let selection = try film.select(wishes)
      #expect(selection.subtitles.map(\.ordinal) == row.kept, "\(row.subs) with \(row.audio)")
      #expect(selection.warnings.contains("No subtitles for de.") == (row.subs == "de"))
    }
  }

  @Test func `the size is the sum of what is kept, or the file when all is`() throws {
    #expect(try film.select(TrackWishes()).size == film.size)
    let part = try film.select(TrackWishes(audio: TrackWishes.audioList("en")))
    #expect(part.size == SizeEstimate(byteCount: 920_000, basis: .measured))
    #expect(part.video.map(\.ordinal) == [0])
    #expect(try film.select(TrackWishes()).video.map(\.ordinal) == [0, 1])
  }

  @Test func `every track has a sentence that a person understands`() throws {
    let selection = try film.select(TrackWishes(audio: TrackWishes.audioList("tr,en")))
    let rows = [
      ("a0", "Turkish, first in --audio"), ("a1", "English, second in --audio"),
      ("a2", "commentary, not asked for (role known only from its title)"),
      ("a3", "English is kept already by a1 (not described)"), ("a4", "Japanese, not in --audio"),
      ("s0", "Turkish, every subtitle is kept"),
    ]
    for (id, reason) in rows { #expect(TrackID(id).flatMap { selection.reasons[$0] } == reason) }
    let plain = try film.select(TrackWishes())
    #expect(
      plain.reasons[TrackID(.audio, 0)]
        == "Turkish, every audio track is kept; plays first: marked as default")
    let fallback = try film.select(TrackWishes(audio: TrackWishes.audioList("de")))
    #expect(fallback.warnings == ["No audio for de; Turkish (a0) is kept instead."])
  }

  @Test func `an unknown word is named, with the nearest known one`() {
    let rows: [(String, mentions: [String])] = [
      ("tr,turkisch", ["turkisch", "turkish"]), ("orignal", ["original"]),
      ("xx", ["xx", "tr, en"]),
      ("", ["empty"]), (",", ["empty"]), ("al", ["all"]),
    ]
    for row in rows {
      let error = #expect(throws: MediaError.self) { try TrackWishes.audioList(row.0) }
      #expect(error?.code == .usage)
      for part in row.mentions {
        #expect(error?.message.contains(part) == true, "\(row.0): \(part)")
      }
    }
    #expect(throws: MediaError.self) { try TrackWishes.subtitleList("english,nonsense") }
  }

  @Test func `lists read codes, names and tokens, each once`() throws {
    let list = try TrackWishes.audioList(" TUR, german,Türkçe, original ,und,pt_br,all")
    #expect(list.map(\.description) == ["tr", "de", "original", "und", "pt-BR", "all"])
    #expect(try TrackWishes.subtitleList("none") == .none)
    #expect(try TrackWishes.subtitleList("tr,eng").description == "tr,en")
  }
}
