/// Finds what somebody meant who mistyped a name.
enum NearestName {
  /// The candidate that `typed` most likely means, or `nil` when none is close.
  ///
  /// A start of exactly one candidate counts as close; otherwise at most a third of the letters may differ.
  static func of(_ typed: String, among candidates: [String]) -> String? {
    let typed = typed.lowercased()
    let starting = candidates.filter { typed.count >= 2 && $0.hasPrefix(typed) }
    if starting.count == 1 { return starting[0] }
    let ranked = candidates.map { (distance(typed, $0), $0) }.sorted { $0 < $1 }
    guard let (distance, name) = ranked.first else { return nil }
    return distance <= max(1, max(typed.count, name.count) / 3) ? name : nil
  }

  /// The number of letters to insert, remove, change or swap with their neighbour.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [Int](repeating: i, count: b.count + 1)
      for j in 1...b.count {
        let change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(change, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], before[j - 2] + 1)
        }
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
