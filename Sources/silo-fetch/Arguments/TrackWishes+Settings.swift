import SiloMedia

extension TrackWishes {
  /// Reads which tracks are wanted.
  init(_ settings: Settings) throws(UsageError) {
    self.init()
    if let value = settings["audio"] { audio = try WishText.audio(value) }
    if let value = settings["audio-track"] { audioTracks = try WishText.audioTracks(value) }
    if let value = settings["subs"] { subtitles = try WishText.subtitles(value) }
    requiresAudio = try settings.isOn("require-audio")
    wantsCommentary = try settings.isOn("commentary")
    wantsDescription = try settings.isOn("description")
    maximumChannels = try settings.integer("max-channels", in: 1...64)
    video =
      try settings.value("video", should: "best, worst or a height such as 720", WishText.video)
      ?? .best
  }
}
