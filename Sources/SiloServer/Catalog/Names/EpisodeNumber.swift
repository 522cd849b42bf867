/// The place of an episode as names write it: `S01E02`, `1x02`, `S01E02E03`, `S01E02-E05`, `Season 1 Episode 2`.
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
      reader.position = start
      guard reader.word("episode") || reader.word("folge") || reader.word("ep") || reader.word("e")
      else { continue }
      reader.skip(" ._-")
      if let episode = reader.number(upTo: 4) {
        return reader.withFollowers(season: nil, episode: episode, from: start)
      }
    }
    if let number = reader.bareNumber() { return number }
    return nil
  }
}

/// Reads numbers out of the bytes of a name.
private struct NumberReader {
  let bytes: [UInt8]
  var position = 0

  init(_ name: String) { bytes = Array(name.utf8) }

  /// Every place that a letter or digit begins at after something else.
  var starts: [Int] {
    bytes.indices.filter {
      Self.isWord(bytes[$0]) && ($0 == 0 || !Self.isWord(bytes[$0 - 1]))
    }
  }

  mutating func seasonAndEpisode(from start: Int) -> EpisodeNumber? {
    if let season = number(upTo: 2), byte("x"), let episode = number(upTo: 3),
      !isInWord || isAt("x")
    {
      return withFollowers(season: season, episode: episode, from: start)
    }
    position = start
    if word("season") || word("staffel") || word("series") {
      skip(" ._-")
      guard let season = number(upTo: 4) else { return nil }
      skip(" ._-,")
      guard word("episode") || word("folge") || word("ep") || word("e") else { return nil }
      skip(" ._-")
      guard let episode = number(upTo: 4) else { return nil }
      return withFollowers(season: season, episode: episode, from: start)
    }
    position = start
    guard byte("s"), let season = number(upTo: 4) else { return nil }
    skip(" ._-")
    guard byte("e") else { return nil }
    _ = byte("p")
    skip(" .")
    guard let episode = number(upTo: 4) else { return nil }
    return withFollowers(season: season, episode: episode, from: start)
  }

  /// A number at the very start, or alone behind a dash.
  mutating func bareNumber() -> EpisodeNumber? {
    position = 0
    if let episode = number(upTo: 3), !isInWord {
      return EpisodeNumber(season: nil, episodes: [episode], place: 0..<position)
    }
    for dash in bytes.indices.reversed() where bytes[dash] == UInt8(ascii: "-") {
      position = dash + 1
      skip(" ")
      if let episode = number(upTo: 3), !isInWord {
        return EpisodeNumber(season: nil, episodes: [episode], place: dash..<position)
      }
    }
    return nil
  }

  /// Adds the episodes that are named right behind the first.
  mutating func withFollowers(season: Int?, episode: Int, from start: Int) -> EpisodeNumber {
    var episodes = [episode]
    while episodes.count < EpisodeNumber.mostInOneFile {
      let end = position
      guard let (next, isRange) = follower(season), let last = episodes.last, next > last,
        episodes.count + next - last <= EpisodeNumber.mostInOneFile
      else {
        position = end
        break
      }
      episodes += isRange ? Array(last + 1...next) : [next]
    }
    return EpisodeNumber(season: season, episodes: episodes, place: start..<position)
  }

  private mutating func follower(_ season: Int?) -> (episode: Int, isRange: Bool)? {
    let start = position
    skip(" ")
    let isRange = byte("-")
    if !isRange { _ = byte("+") || byte("&") || byte("_") || byte(".") }
    skip(" ")
    let afterSign = position
    let isTied = afterSign - start <= 1
    if byte("e") {
      _ = byte("p")
      return number(upTo: 4).map { ($0, isRange) }
    }
    if byte("x"), let next = number(upTo: 3), !isInWord || isAt("x") { return (next, isRange) }
    position = afterSign
    if byte("s"), let other = number(upTo: 4), other == season {
      skip(" ._")
      guard byte("e") else { return nil }
      return number(upTo: 4).map { ($0, isRange) }
    }
    position = afterSign
    guard isRange, let first = number(upTo: 3) else { return nil }
    if byte("x") {
      guard first == season, let next = number(upTo: 3), !isInWord else { return nil }
      return (next, true)
    }
    return isTied && !isInWord ? (first, true) : nil
  }

  /// Whether a letter or digit follows.
  private var isInWord: Bool { position < bytes.count && Self.isWord(bytes[position]) }

  private func isAt(_ letter: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] | 0x20 == UInt8(ascii: letter)
  }

  mutating func byte(_ letter: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: letter) | 0x20,
      bytes[position] == UInt8(ascii: letter) || Self.isWord(bytes[position])
    else { return false }
    position += 1
    return true
  }

  mutating func word(_ text: StaticString) -> Bool {
    let start = position
    let matches = text.withUTF8Buffer { letters in
      letters.allSatisfy { byte(Unicode.Scalar($0)) }
    }
    if !matches { position = start }
    return matches
  }

  mutating func skip(_ set: StaticString) {
    set.withUTF8Buffer { set in
      while position < bytes.count, set.contains(bytes[position]) { position += 1 }
    }
  }

  /// A number of up to `digits` digits; `nil`, and nothing read, when there is none or it is longer.
  mutating func number(upTo digits: Int) -> Int? {
    let start = position
    var value = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      guard position - start < digits else {
        position = start
        return nil
      }
      value = value * 10 + Int(bytes[position] - 48)
      position += 1
    }
    return position > start ? value : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte >= 0x80
  }
}
