import SiloMedia

/// What lists tell of a file without a look at its tracks.
struct MediaSummary: Hashable, Sendable {
  /// The short name: `mkv`, `mp4`.
  var container: String?
  var width: Int?
  var height: Int?
  /// ffmpeg's name of the codec of the first picture.
  var videoCodec: String?
  /// ffmpeg's name of the codec of the sound that plays unless somebody chooses.
  var audioCodec: String?
  /// The most channels of an audio track.
  var audioChannels: Int?
  var isHDR = false
  var durationMilliseconds: Int64?

  /// Nothing is known.
  init() {}

  /// What `inventory` tells.
  init(_ inventory: MediaInventory) {
    container = inventory.container
    let video = inventory.video.first
    (width, height, videoCodec) = (video?.width, video?.height, video?.codec.name)
    isHDR = video?.dynamicRange.map { $0 != .sdr } ?? false
    audioCodec = (inventory.audio.first(where: \.isDefault) ?? inventory.audio.first)?.codec.name
    audioChannels = inventory.audio.compactMap(\.channels).max()
    durationMilliseconds = inventory.duration.map { duration in
      let (seconds, attoseconds) = duration.components
      return seconds.multipliedReportingOverflow(by: 1000).partialValue
        &+ attoseconds / 1_000_000_000_000_000
    }
  }

  /// The size of the picture as people call it: `2160p`, `1080p`, `720p`.
  ///
  /// Films are often cut in height, so that the width counts, too; an upright picture is told by its short side.
  var resolution: String? {
    guard let width, let height, (1...100_000).contains(width),
      (1...100_000).contains(height)
    else { return nil }
    // A little below still counts: 1916x796 is called 1080p.
    let named = Self.sizes.first { size in
      max(width, height) * 20 >= size.wide * 19 || min(width, height) * 20 >= size.high * 19
    }
    return "\(named?.high ?? min(width, height))p"
  }

  private static let sizes: [(wide: Int, high: Int)] = [
    (7680, 4320), (3840, 2160), (2560, 1440), (1920, 1080), (1280, 720), (1024, 576), (854, 480),
    (640, 360),
  ]

  /// The duration in seconds.
  var durationSeconds: Double? { durationMilliseconds.map { Double($0) / 1000 } }
}
