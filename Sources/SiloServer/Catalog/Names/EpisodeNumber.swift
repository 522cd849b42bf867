/// The place of an episode as names write it: `S01E02`, `1x02`, `S01E02E03`, `S01E02-E05`, `Season 1 Episode 2`,
/// `1. Sezon 3. Bölüm`.
struct EpisodeNumber: Hashable, Sendable {
  /// The season; 0 is that of the specials, `nil` when the name leaves it to the folder.
  var season: Int?
  /// The episodes, more than one for a file that holds several.
  var episodes: [Int]
  /// Where it stands in the UTF-8 of the name.
  var place: Range<Int>

  /// The most episodes that one file is taken to hold.
  static let mostInOneFile = 60

  /// The first place that says season and episode.
  static func find(in name: String) -> EpisodeNumber? {
    var reader = NumberReader(name)
    for start in reader.starts {
      reader.position = start
      if let number = reader.seasonAndEpisode(from: start) { return number }
    }
    return nil
  }

  /// The episode of a file in a season's folder, where the number alone may stand: `02 - Title`, `E02`, `Show - 02`.
  static func findAlone(in name: String) -> EpisodeNumber? {
    var reader = NumberReader(name)
    for start in reader.starts {
      if let number = reader.numberAndWord(from: start) { return number }
    }
    for start in reader.starts {
      reader.position = start
      guard reader.episodeWord() else { continue }
      reader.skip(" ._-")
      if let episode = reader.number(upTo: 4) {
        return reader.withFollowers(season: nil, episode: episode, from: start)
      }
    }
    if let number = reader.bareNumber() { return number }
    return nil
  }

  /// The number behind a dash at the end, as groups that count a series through call its episodes: `Title - 012`, `Title S2 - 05v2`.
  ///
  /// - Parameters:
  ///   - name: The name without its brackets.
  ///   - hasHeight: Whether the lines of its pictures stand elsewhere, so that `720` is an episode.
  /// - Returns: Of a title without `S2`, one of season 1. `nil` of a number that may be a year or count lines, and of one that
  ///   more than how the file was made follows.
  static func findThrough(in name: String, hasHeight: Bool) -> EpisodeNumber? {
    var reader = NumberReader(name)
    guard let (number, digits, dash, end) = reader.dashedNumber(), number > 0,
      !(digits == 4 && MediaName.years.contains(number)),
      hasHeight || !ReleaseWords.heights.contains(number)
    else { return nil }
    let after = String(decoding: reader.bytes[end...], as: UTF8.self)
    guard after.allSatisfy({ $0 == " " }) || ReleaseWords.isAll(after) else { return nil }
    let before = String(decoding: reader.bytes[..<dash], as: UTF8.self)
    guard before.contains(where: \.isLetter) else { return nil }
    let season = reader.seasonWord(before: dash)
    return EpisodeNumber(
      season: season?.number ?? 1, episodes: [number], place: (season?.start ?? dash)..<end)
  }

  /// Season and episode in one number: the `101` of `Dexter.101.Pilot`.
  ///
  /// It is only that when the folder says the same season. Numbers that may be a year, or tell how the file was made, are passed over.
  static func findJoined(in name: String) -> EpisodeNumber? {
    var reader = NumberReader(name)
    for start in reader.starts {
      reader.position = start
      guard let number = reader.number(upTo: 4), !reader.isInWord,
        case let digits = reader.position - start, digits >= 3,
        !ReleaseWords.heights.contains(number), ![264, 265].contains(number),
        digits == 3 || !(1900...2035).contains(number)
      else { continue }
      return EpisodeNumber(
        season: number / 100, episodes: [number % 100], place: start..<reader.position)
    }
    return nil
  }
}
