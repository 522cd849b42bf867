import SiloMedia

/// Reads the lists in which people name tracks and languages.
enum WishText {
  /// What an audio list asks for: languages, `und`, `all`, `original`, `default`.
  static func audio(_ value: Settings.Value) throws(UsageError) -> [TrackWishes.AudioWish] {
    do { return try TrackWishes.audioList(value.text) } catch {
      throw Settings.failure(value, error.message)
    }
  }

  /// What a subtitle list asks for: languages, `all` or `none`.
  static func subtitles(_ value: Settings.Value) throws(UsageError) -> TrackWishes.SubtitleWish {
    do { return try TrackWishes.subtitleList(value.text) } catch {
      throw Settings.failure(value, error.message)
    }
  }

  /// The audio tracks that a list of ids names.
  static func audioTracks(_ value: Settings.Value) throws(UsageError) -> [TrackID] {
    var tracks: [TrackID] = []
    for word in words(value.text) {
      guard let id = TrackID(word.lowercased()), id.kind == .audio else {
        throw Settings.error(
          Settings.Value(text: word, origin: value.origin),
          "is no audio track; probe names them a0, a1, ...")
      }
      if !tracks.contains(id) { tracks.append(id) }
    }
    guard !tracks.isEmpty else { throw Settings.error(value, "should name a track, such as a0") }
    return tracks
  }

  /// Which HLS variant: `best`, `worst`, `720`, `720p`.
  static func video(_ text: String) -> TrackWishes.VideoWish? {
    switch text.lowercased() {
    case "best": return .best
    case "worst": return .worst
    case let text:
      let digits = text.hasSuffix("p") ? String(text.dropLast()) : text
      return Int(digits).flatMap { $0 > 0 ? .height($0) : nil }
    }
  }

  /// The entries of a list, blanks around them and empty ones left out.
  static func words(_ list: String) -> [String] {
    list.split(separator: ",")
      .map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }
}
