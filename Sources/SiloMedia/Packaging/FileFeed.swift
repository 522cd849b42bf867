import SiloSystem

/// Feeds from one whole container file.
final class FileFeed: PackageFeed, MediaFeed {
  let tracks: [Int]
  let part: DemuxedPart
  private let audible: Set<Int>
  private let video: Set<Int>
  private let byteCount: Int64
  private var isStarted = false

  init(
    _ source: MediaSource, wanted: [Int: PackageTrack], container: OutputContainer,
    cancel: CancellationFlag, warning: (String) -> Void = { _ in }
  ) throws {
    // What is longer than the buffer is read to where it belongs, without a copy.
    let input = try InputContext.open(
      source, options: InputOptions(bufferByteCount: 128 << 10), cancel: cancel)
    let streams = try StreamLookup(input.streams).streams(of: wanted, name: source.name)
    tracks = wanted.keys.sorted()
    video = Set(tracks.filter { wanted[$0]?.id.kind == .video })
    audible = Set(tracks.filter { wanted[$0]?.id.kind != .subtitle })
    byteCount = source.bytes.byteCount ?? 0
    let facts = input.streams
    DroppedStreams.sentences(facts).forEach(warning)
    var conversions: [Int: TextConversion] = [:]
    for (track, stream) in streams {
      guard wanted[track]?.id.kind == .subtitle else { continue }
      conversions[track] = TextConversion(
        from: facts.first { $0.index == stream }?.codec, to: container)
    }
    part = DemuxedPart(
      input, streamOfTrack: streams, conversions: conversions, cancel: cancel)
  }

  func expected(of track: Int) -> (packets: ExpectedPackets, inputByteCount: Int64) {
    let packets =
      part.facts(of: track).map { ExpectedPackets($0, duration: part.duration) }
      ?? ExpectedPackets(textByteCount: 0)
    return (packets, byteCount)
  }

  func beginRun(_ run: Int, clock: inout RunClock) throws {
    guard !isStarted else { return }
    isStarted = true
    try part.readAhead(untilSeen: audible, video: video)
  }

  func runStart() -> Timeline.RunStart { .earliest(of: part.ahead, video: video, audible: audible) }
  func map(_ timeline: Timeline, clock: RunClock) {}
  func peek() throws -> HeldPacket? { try part.peek() }
  func drop() { part.drop() }
  var textLosses: [Int: Set<StyledText.Loss>] { part.textLosses }
}

/// A feed whose streams come from a demuxer.
protocol MediaFeed: PackageFeed {
  /// The demuxer whose streams describe the tracks.
  var part: DemuxedPart { get }
}

extension Timeline.RunStart {
  /// The earliest times among packets.
  static func earliest(
    of packets: ArraySlice<HeldPacket>, video: Set<Int>, audible: Set<Int>
  ) -> Timeline.RunStart {
    var start = Timeline.RunStart(planned: 0)
    // Subtitles do not decide where the film begins.
    for packet in packets where audible.contains(packet.track) {
      if video.contains(packet.track) {
        start.video = min(start.video ?? packet.presentation, packet.presentation)
      } else {
        start.other = min(start.other ?? packet.presentation, packet.presentation)
      }
    }
    return start
  }
}
