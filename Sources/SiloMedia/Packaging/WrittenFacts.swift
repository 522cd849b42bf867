/// What was seen of the media while a file was written, to be found again in it.
struct WrittenFacts: Hashable {
  /// What was seen of one track.
  struct Track: Hashable {
    /// The codec that was written.
    var codec: Codec?
    /// Pixels.
    var width: Int?
    /// Pixels.
    var height: Int?
    /// The number of channels.
    var channels: Int?
    /// Samples a second.
    var sampleRate: Int?
  }

  /// By the track's place in the plan.
  var tracks: [Int: Track] = [:]
  /// Where the last packet of any track ends, in nanoseconds from the start of the file.
  var end: Int64 = 0
  /// The longest packet of pictures or sound, in nanoseconds.
  var longestPacket: Int64 = 0

  /// Notes a packet that ends at `end`.
  mutating func note(end time: Int64, duration: Int64, isText: Bool) {
    end = max(end, time)
    if !isText { longestPacket = max(longestPacket, min(duration, 1_000_000_000)) }
  }
}

extension WrittenFacts.Track {
  /// Of a stream that is written as it is, or as `text`.
  init(_ facts: StreamFacts?, text: OutputStream.TextCodec?) {
    switch text {
    case .movText: codec = "mov_text"
    case .subRip: codec = "subrip"
    case nil: codec = facts?.codec
    }
    width = facts?.picture?.width
    height = facts?.picture?.height
    channels = facts?.sound?.channels
    sampleRate = facts?.sound?.sampleRate
  }
}
