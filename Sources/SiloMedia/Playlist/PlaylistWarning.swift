/// A quirk of a playlist that was tolerated, and where.
public struct PlaylistWarning: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// What was found and what was made of it, without secrets or control characters.
  public var text: String
  /// Whether nothing was lost or guessed: line ends, blank lines, unknown tags.
  public var isHarmless: Bool

  /// A warning about `line`.
  public init(line: Int, text: String, isHarmless: Bool) {
    self.line = line
    self.text = text
    self.isHarmless = isHarmless
  }

  /// The line and the text.
  public var description: String { "line \(line): \(text)" }
}

/// The warnings of one playlist: each kind of quirk once, where it was first seen.
struct PlaylistWarnings {
  /// More than this many differing quirks say nothing new.
  private static let limit = 200

  private(set) var list: [PlaylistWarning] = []
  private var seen: Set<String> = []

  /// Notes a quirk that loses nothing.
  mutating func note(_ line: Int, _ text: String) { add(line, text, isHarmless: true) }

  /// Warns of a quirk whose meaning had to be guessed.
  mutating func warn(_ line: Int, _ text: String) { add(line, text, isHarmless: false) }

  private mutating func add(_ line: Int, _ text: String, isHarmless: Bool) {
    guard list.count < Self.limit, seen.insert(text).inserted else { return }
    list.append(PlaylistWarning(line: line, text: text, isHarmless: isHarmless))
  }
}
