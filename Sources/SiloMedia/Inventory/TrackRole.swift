/// What an audio track is for.
public enum TrackRole: String, Hashable, Sendable, Codable {
  /// The film's own sound.
  case main
  /// Somebody talking about the film.
  case commentary
  /// The film's sound with a description of the pictures.
  case description
}
