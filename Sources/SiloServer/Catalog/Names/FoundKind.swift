/// What a file of the folder is to the catalog, told by its extension.
enum FoundKind: Hashable, Sendable {
  /// A film or an episode.
  case video
  /// Sound without pictures: served as a file, and part of no film.
  case sound
  /// A subtitle beside a film, of this format.
  case subtitle(String)
  /// A picture.
  case picture
  /// An NFO file.
  case notes
  /// A mark of a folder that media centres pass over.
  case passOver

  /// The kind of a file called `name`; `nil` for what the catalog has no use for.
  init?(_ name: String) {
    if name == ".ignore" || name == ".nomedia" {
      self = .passOver
      return
    }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return nil
    }
    let suffix = name[name.index(after: dot)...].lowercased()
    if Self.videos.contains(suffix) {
      self = .video
    } else if Self.subtitles.contains(suffix) {
      self = .subtitle(suffix)
    } else if suffix == "nfo" {
      self = .notes
    } else if Self.pictures.contains(suffix) {
      self = .picture
    } else if MediaType.isMedia(name) {
      self = .sound
    } else {
      return nil
    }
  }

  private static let videos: Set<String> = [
    "mkv", "mk3d", "webm", "mp4", "m4v", "mov", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "wmv",
    "asf", "flv", "3gp", "ogv",
  ]
  private static let subtitles: Set<String> = ["srt", "vtt", "ass", "ssa", "sub", "sup"]
  private static let pictures: Set<String> = ["jpg", "jpeg", "png", "webp"]
}
