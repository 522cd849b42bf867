import struct Foundation.Data
import class Foundation.JSONDecoder

/// The chapters that a multivariant playlist names by EXT-X-SESSION-DATA with the id `com.apple.hls.chapters`.
public enum HLSChapters {
  /// The DATA-ID of chapters.
  public static let dataID = "com.apple.hls.chapters"

  /// Reads the JSON array of chapters; each takes the title of the first of `languages` that it has, else its first.
  ///
  /// An end that the data does not give stays `nil`. Entries without a usable start are left out.
  /// Throws `.malformed` when the bytes are no such array.
  public static func parse(
    _ bytes: [UInt8], languages: [LanguageTag] = []
  ) throws(MediaError) -> [Chapter] {
    let entries: [Lenient]
    do {
      entries = try JSONDecoder().decode([Lenient].self, from: Data(bytes))
    } catch {
      throw MediaError(.malformed, "the chapters are no JSON array of chapters", cause: error)
    }
    guard entries.count <= 100_000 else {
      throw MediaError(.malformed, "there are more than 100000 chapters")
    }
    return entries.compactMap { $0.entry.flatMap { chapter($0, languages) } }
      .sorted { $0.start < $1.start }
  }

  private static func chapter(_ entry: Entry, _ languages: [LanguageTag]) -> Chapter? {
    guard let start = duration(entry.start) else { return nil }
    let length = duration(entry.duration)
    return Chapter(
      start: start, end: length.map { start + $0 },
      title: title(entry.titles ?? [], languages) ?? entry.chapter.map { "Chapter \($0)" })
  }

  private static func title(_ titles: [Title], _ languages: [LanguageTag]) -> String? {
    let named = titles.filter { !($0.title ?? "").isEmpty }
    for language in languages {
      let match = named.first { title in
        guard let stored = LanguageTag(title.language ?? "") else { return false }
        return LanguageTier(wanted: language, stored: stored) != nil
      }
      if let match { return match.title }
    }
    return named.first?.title
  }

  private static func duration(_ seconds: Double?) -> Duration? {
    guard let seconds, seconds >= 0, seconds < 1e9 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  private struct Entry: Decodable {
    enum CodingKeys: String, CodingKey {
      case start = "start-time"
      case duration, chapter, titles
    }

    var start: Double?
    var duration: Double?
    var chapter: Int?
    var titles: [Title]?
  }

  private struct Title: Decodable {
    var language: String?
    var title: String?
  }

  /// One entry of the wrong form does not spoil the others.
  private struct Lenient: Decodable {
    var entry: Entry?

    init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
  }
}

extension MultivariantPlaylist {
  /// Where the chapters are fetched; `nil` when the playlist names none.
  public var chapterData: SessionData? {
    sessionData.first { $0.id == HLSChapters.dataID && ($0.url != nil || $0.value != nil) }
  }
}
