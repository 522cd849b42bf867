/// The known word that a mistyped one was probably meant to be.
enum NearestWord {
  /// The nearest of `words` and the names of widely spoken languages, or `nil` when none is near.
  static func to(_ word: String, among words: [String]) -> String? {
    let typed = LanguageNames.fold(String(word.prefix(LanguageCanon.longestName)))
    let limit = typed.count < 5 ? 1 : 2
    let names = words + LanguageNames.amongWords.keys.filter { $0.count > 3 }.sorted()
    return names.map { (name: $0, distance: distance(typed, $0)) }
      .filter { $0.distance <= limit }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// How many letters have to be put in, left out or exchanged (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
