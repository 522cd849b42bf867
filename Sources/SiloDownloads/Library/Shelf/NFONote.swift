/// What a media centre reads of a film, a series or an episode from the `.nfo` beside it: one small XML document (pure).
///
/// Kodi and Jellyfin read the same elements; what is not known is left out.
public struct NFONote: Hashable, Sendable {
  /// What it describes.
  public enum Kind: String, Hashable, Sendable {
    /// A film: `NAME.nfo` beside its file.
    case film = "movie"
    /// A series: `tvshow.nfo` in its folder.
    case series = "tvshow"
    /// An episode: `NAME.nfo` beside its file.
    case episode = "episodedetails"
  }

  /// What it describes.
  public var kind: Kind
  /// The title.
  public var title: String
  /// The year of the first showing.
  public var year: Int?
  /// What it is about.
  public var plot: String?
  /// How long it plays, in minutes.
  public var minutes: Int?
  /// The genres by name.
  public var genres: [String] = []
  /// What audiences it is for: `PG-13`.
  public var rating: String?
  /// The title of the series, of an episode.
  public var show: String?
  /// The number of the season, of an episode.
  public var season: Int?
  /// The number in the season, of an episode.
  public var episode: Int?
  /// The day of the first showing, `2024-05-31`.
  public var aired: String?
  /// Its identities elsewhere, by name: `tmdb`, `imdb`, `tvdb`; the first in alphabetical order is the default one.
  public var identities: [String: String] = [:]

  /// A note of the given kind and title.
  public init(_ kind: Kind, title: String) {
    self.kind = kind
    self.title = title
  }

  /// The document, in UTF-8.
  public var text: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#, "<\(kind.rawValue)>",
    ]
    func add(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      lines.append("  <\(name)>\(Self.escaped(value))</\(name)>")
    }
    add("title", title)
    add("showtitle", show)
    add("year", year.map { "\($0)" })
    add("plot", plot)
    add("runtime", minutes.map { "\($0)" })
    add("mpaa", rating)
    for genre in genres { add("genre", genre) }
    add("season", season.map { "\($0)" })
    add("episode", episode.map { "\($0)" })
    add(kind == .episode ? "aired" : "premiered", aired)
    for (place, identity) in identities.sorted(by: { $0.key < $1.key }).enumerated() {
      let mark = place == 0 ? #" default="true""# : ""
      lines.append(
        #"  <uniqueid type="\#(Self.escaped(identity.key))"\#(mark)>\#(Self.escaped(identity.value))</uniqueid>"#
      )
    }
    lines.append("</\(kind.rawValue)>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text as XML 1.0 takes it: five characters as references, and without those that it cannot hold.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      default:
        guard scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value),
          scalar.value & 0xFFFE != 0xFFFE
        else { return }
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
