/// Reads numbers out of the bytes of a name.
struct NumberReader {
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
    if let number = numberedWords(from: start) { return number }
    position = start
    if word("season") || word("staffel") || word("series") || word("sezon") {
      skip(" ._-")
      guard let season = number(upTo: 4) else { return nil }
      skip(" ._-,")
      guard episodeWord() else { return nil }
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

  /// A word for an episode, in front of its number.
  mutating func episodeWord() -> Bool {
    word("episode") || word("folge") || wordBehind() || word("ep") || word("e")
  }

  /// A word for an episode that its number may stand before: `Bölüm`, in every way of writing it.
  private mutating func wordBehind() -> Bool {
    word("bölüm") || word("bolum") || word("bo\u{308}lu\u{308}m")
  }

  /// `1. Sezon 3. Bölüm`: the numbers stand before their words.
  private mutating func numberedWords(from start: Int) -> EpisodeNumber? {
    position = start
    guard let season = number(upTo: 2) else { return nil }
    let isOrdinal = isAt(".")
    skip(" ._-")
    guard word("sezon") || word("staffel"), !isInWord else { return nil }
    skip(" ._-,")
    guard let number = numberAndWord(from: position, isOrdinal: isOrdinal) else { return nil }
    return EpisodeNumber(
      season: season, episodes: number.episodes, place: start..<number.place.upperBound)
  }

  /// The number of an episode in front of its word, as an ordinal has it.
  ///
  /// In `3 Bölüm 4` nobody knows which one is meant: that is read from the word on.
  mutating func numberAndWord(from start: Int, isOrdinal: Bool = true) -> EpisodeNumber? {
    position = start
    guard let episode = number(upTo: 4) else { return nil }
    let isOrdinal = isOrdinal && isAt(".")
    skip(" ._-")
    guard wordBehind() || word("folge"), !isInWord else { return nil }
    let end = position
    defer { position = end }
    skip(" ._-")
    if !isOrdinal, number(upTo: 4) != nil, !isInWord { return nil }
    return EpisodeNumber(season: nil, episodes: [episode], place: start..<end)
  }

  /// The number behind the last dash that stands alone, with its length and where dash and number are; `05v2` is 5.
  mutating func dashedNumber() -> (number: Int, digits: Int, dash: Int, end: Int)? {
    let dashes = bytes.indices.reversed().filter {
      bytes[$0] == UInt8(ascii: "-") && $0 > 0 && bytes[$0 - 1] == 0x20
    }
    for dash in dashes {
      position = dash + 1
      skip(" ")
      let start = position
      guard start > dash + 1, let number = number(upTo: 4) else { continue }
      let digits = position - start
      if byte("v") { _ = self.number(upTo: 1) }
      if !isInWord { return (number, digits, dash, position) }
    }
    return nil
  }

  /// The season of a title that ends in `S2`, right before `end`.
  func seasonWord(before end: Int) -> (number: Int, start: Int)? {
    let words = bytes[..<end].split(separator: 0x20)
    guard words.count > 1, let last = words.last, last.count <= 3,
      last.first.map({ $0 | 0x20 }) == UInt8(ascii: "s"),
      let number = Int(String(decoding: last.dropFirst(), as: UTF8.self)), number >= 0
    else { return nil }
    return (number, last.startIndex)
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
  var isInWord: Bool { position < bytes.count && Self.isWord(bytes[position]) }

  func isAt(_ letter: Unicode.Scalar) -> Bool {
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
      letters.allSatisfy { letter in
        // Also of the second byte of `ö` and `Ö`.
        guard position < bytes.count, Self.isWord(bytes[position]),
          bytes[position] | 0x20 == letter | 0x20
        else { return false }
        position += 1
        return true
      }
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
