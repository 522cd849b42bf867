/// The name of a file that holds one part of a film: `Film (1999)-cd1`, `Film.1999.part2`.
struct StackedPart: Hashable, Sendable {
  /// Which part it is, from 1 on.
  let number: Int
  /// The name without the part: the same for all parts of one film.
  let whole: String

  /// Reads a name without its extension; `nil` when it names no part.
  ///
  /// `Part 1` belongs to many titles: it counts when it is one word behind a year or an episode's number.
  init?(_ stem: String) {
    let bytes = Array(stem.utf8)
    var reader = NumberReader(stem)
    for start in reader.starts.dropFirst().reversed() {
      reader.position = start
      let isDisc = Self.discs.contains { reader.word($0) }
      let isPart = !isDisc && (reader.word("part") || reader.word("pt"))
      guard isDisc || isPart else { continue }
      if isDisc, reader.position < bytes.count, " ._-".utf8.contains(bytes[reader.position]) {
        reader.position += 1
      }
      guard let number = reader.number(upTo: 1), number > 0, !reader.isInWord else { continue }
      let before = String(decoding: bytes[..<start], as: UTF8.self)
      guard isDisc || Self.isComplete(before) else { continue }
      let after = String(decoding: bytes[reader.position...], as: UTF8.self)
      self.number = number
      whole = before.trimming { " ._-([".contains($0) } + "/" + after
      return
    }
    return nil
  }

  /// The files of `stems` that are parts: at least a first and a second one of the same film.
  static func parts(of stems: [String]) -> [String: StackedPart] {
    var numbers: [String: Set<Int>] = [:]
    var parts: [String: StackedPart] = [:]
    for stem in stems {
      guard let part = StackedPart(stem) else { continue }
      parts[stem] = part
      numbers[part.whole.lowercased(), default: []].insert(part.number)
    }
    return parts.filter { numbers[$1.whole.lowercased()]?.isSuperset(of: [1, 2]) == true }
  }

  /// Whether the title ends before the end of `name`.
  private static func isComplete(_ name: String) -> Bool {
    let read = MediaName(name)
    if read.number != nil || read.year != nil { return true }
    let digits = name.trimming { " ._-([".contains($0) }.utf8.suffix(4)
    return digits.count == 4 && digits.allSatisfy { (48...57).contains($0) }
      && Int(String(Substring(digits))).map(MediaName.years.contains) == true
  }

  private static let discs: [StaticString] = ["cd", "dvd", "disc", "disk"]
}
