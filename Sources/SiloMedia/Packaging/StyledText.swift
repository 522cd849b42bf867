/// A subtitle text with the looks of its parts: what text codecs are read into and written from.
struct StyledText: Hashable, Sendable {
  /// How a part looks; what is not said is the player's choice.
  struct Style: Hashable, Sendable {
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    /// 0xRRGGBB; `nil` is the usual colour.
    var colour: UInt32?
  }

  /// Neighbouring signs of one look; may hold line feeds.
  struct Run: Hashable, Sendable {
    var text: String
    var style = Style()
  }

  /// What about a text has no place in this value, and so is lost whatever is written.
  enum Loss: Hashable, Sendable {
    /// Where it stands, other than in one of nine places.
    case position
    /// Fonts, sizes, backgrounds, movement.
    case effect
  }

  /// The parts in order, no two neighbours of one look, none empty.
  var runs: [Run]
  /// Where it stands, as a key of a numeric pad (7 is above on the left); `nil` is below in the middle.
  var place: Int?
  /// What could not be taken along.
  var losses: Set<Loss> = []

  /// Whether nothing is shown.
  var isEmpty: Bool { runs.isEmpty }

  /// The signs without their looks.
  var plain: String { runs.reduce(into: "") { $0 += $1.text } }

  /// Signs each with its look; lines that show nothing are left out.
  init(_ signs: [(Unicode.Scalar, Style)], place: Int? = nil, losses: Set<Loss> = []) {
    runs = []
    (self.place, self.losses) = (place, losses)
    var text = String.UnicodeScalarView()
    var style = Style()
    func close() {
      if !text.isEmpty { runs.append(Run(text: String(text), style: style)) }
      text = .init()
    }
    var isFirst = true
    for line in signs.split(whereSeparator: { $0.0 == "\n" || $0.0 == "\r" }) {
      guard line.contains(where: { !$0.0.properties.isWhitespace }) else { continue }
      // The line feed belongs to what stands before it: no look changes for it.
      if !isFirst { text.append("\n") }
      isFirst = false
      for (scalar, own) in line {
        if own != style {
          close()
          style = own
        }
        text.append(scalar)
      }
    }
    close()
  }

  /// Texts that are shown at the same time, one above the other.
  init(joining texts: [StyledText]) {
    var signs: [(Unicode.Scalar, Style)] = []
    var losses: Set<Loss> = []
    for text in texts {
      if !signs.isEmpty { signs.append(("\n", Style())) }
      signs += text.signs
      losses.formUnion(text.losses)
    }
    let places = Set(texts.map(\.place))
    // Where they stand apart from each other is more than one place can say.
    if places.count > 1 { losses.insert(.position) }
    self.init(signs, place: places.count == 1 ? texts.first?.place : nil, losses: losses)
  }

  private var signs: [(Unicode.Scalar, Style)] {
    runs.flatMap { run in run.text.unicodeScalars.map { ($0, run.style) } }
  }
}
