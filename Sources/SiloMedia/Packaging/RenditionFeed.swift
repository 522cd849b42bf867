import SiloSystem

import struct Foundation.URL

/// Feeds from the segments of one HLS rendition, a demuxer for each run and init section.
final class RenditionFeed: MediaFeed {
  let tracks: [Int]
  private(set) var part: DemuxedPart
  private let wanted: [Int: PackageTrack]
  private let reader: SpoolReader
  private let parts: [SpoolPart]
  private let video: Set<Int>
  private let audible: Set<Int>
  private let container: OutputContainer
  private let cancel: CancellationFlag
  private var index = 0
  private var run = 0
  private var clock = RunClock()
  private let firstFacts: [Int: StreamFacts]
  private let firstStreams: [StreamFacts]
  private let warning: (String) -> Void
  private var foreign: Set<Int> = []
  private var coverage: SegmentCoverage
  private var earlierLosses: [Int: Set<StyledText.Loss>] = [:]

  init(
    _ reader: SpoolReader, _ parts: [SpoolPart], wanted: [Int: PackageTrack],
    container: OutputContainer, cancel: CancellationFlag,
    warning: @escaping (String) -> Void = { _ in }
  ) throws {
    self.parts = parts
    tracks = wanted.keys.sorted()
    video = Set(tracks.filter { wanted[$0]?.id.kind == .video })
    audible = Set(tracks.filter { wanted[$0]?.id.kind != .subtitle })
    guard let first = parts.first else {
      throw MediaError(.corrupt, "The rendition has no segment.", subject: reader.name)
    }
    part = try SpoolDemuxer(reader: reader, cancel: cancel).open(
      first, wanted: wanted, container: container, clock: RunClock())
    if part.isUntimed, let track = wanted[tracks[0]]?.id {
      warning(
        "The sound of \(track) says nowhere when it is to be heard; it is placed by the playlist, which may be off a little."
      )
    }
    firstFacts = Dictionary(
      uniqueKeysWithValues: wanted.keys.compactMap { [part] track in
        part.facts(of: track).map { (track, $0) }
      })
    firstStreams = part.streams
    self.warning = warning
    run = first.run
    coverage = SegmentCoverage(first.segments)
    self.reader = reader
    self.wanted = wanted
    self.container = container
    self.cancel = cancel
  }

  func expected(of track: Int) -> (packets: ExpectedPackets, inputByteCount: Int64) {
    let segments = parts.flatMap(\.segments)
    let bytes = segments.reduce(0) { $0 + (reader.knownByteCount(of: $1.part) ?? 0) }
    let duration = segments.reduce(Duration.zero) { $0 + $1.duration }
    guard var facts = firstFacts[track] else {
      return (ExpectedPackets(textByteCount: bytes), bytes)
    }
    // What the first segment says of itself is not the length of all.
    facts.durationTicks = nil
    facts.frameCount = nil
    return (ExpectedPackets(facts, duration: duration), bytes)
  }

  func beginRun(_ run: Int, clock: inout RunClock) throws {
    self.run = run
    while index < parts.count, parts[index].run < run { index += 1 }
    guard index < parts.count, parts[index].run == run else { return }
    self.clock = clock
    // The first one is open already, with the clock as it comes.
    if index > 0 || clock.anchor != nil { try openPart() }
    try part.readAhead(untilSeen: audible, video: video)
    if clock.anchor == nil, let first = part.ahead.first, let segment = parts[index].segments.first
    {
      clock.anchor = TimeBase(1, 90_000).ticks(ofNanoseconds: first.decode)
      clock.anchorStart = segment.start
    }
    self.clock = clock
  }

  func runStart() -> Timeline.RunStart {
    guard isInRun else { return Timeline.RunStart(planned: 0) }
    var start = Timeline.RunStart.earliest(of: part.ahead, video: video, audible: audible)
    start.planned = parts[index].segments.first?.start.nanoseconds ?? 0
    return start
  }

  func map(_ timeline: Timeline, clock: RunClock) {}

  func peek() throws -> HeldPacket? {
    while isInRun {
      if let packet = try part.peek() {
        if let position = packet.packet.position, let segment = part.joined?.segment(at: position) {
          coverage.see(packet.track, in: segment)
        }
        return packet
      }
      try requireWhole()
      part.joined?.letGoOfAll()
      index += 1
      if isInRun { try openPart() }
    }
    return nil
  }

  func drop() { part.drop() }

  var textLosses: [Int: Set<StyledText.Loss>] {
    earlierLosses.merging(part.textLosses) { $0.union($1) }
  }

  private var isInRun: Bool { index < parts.count && parts[index].run == run }

  /// Throws when a segment gave nothing of a track, though its bytes were well formed.
  private func requireWhole() throws {
    guard !part.isPacked, let (track, segment) = coverage.hole(of: audible),
      let id = wanted[track]?.id
    else { return }
    let start = segment.start.seconds
    let span = "\(start)–\(start + segment.duration.seconds) s"
    throw MediaError(
      .corrupt,
      "The segment with media sequence \(segment.mediaSequence) (\(span)) holds nothing of the track \(id); it is damaged at the source.",
      subject: reader.name)
  }

  private func openPart() throws {
    coverage = SegmentCoverage(parts[index].segments)
    earlierLosses = textLosses
    part = try SpoolDemuxer(reader: reader, cancel: cancel).open(
      parts[index], wanted: wanted, container: container, clock: clock, like: firstStreams)
    for track in tracks {
      guard let old = firstFacts[track], let new = part.facts(of: track), let id = wanted[track]?.id
      else { continue }
      tellForeign(track, id, old.tag, new.tag)
      try CodecChange(from: old, to: new).check(id, subject: reader.name)
    }
  }

  /// Says once that a stretch has a track in another language only, as breaks for advertising do.
  private func tellForeign(_ track: Int, _ id: TrackID, _ old: LanguageTag?, _ new: LanguageTag?) {
    guard let old, let new, old != new, foreign.insert(track).inserted,
      let start = parts[index].segments.first?.start.seconds
    else { return }
    warning("At \(start) s the track \(id) is in \(new) at the source, and not in \(old).")
  }
}

/// What changes between two stretches of one track.
struct CodecChange {
  private let old: StreamFacts
  private let new: StreamFacts

  init(from old: StreamFacts, to new: StreamFacts) {
    self.old = old
    self.new = new
  }

  /// Throws when one track of a file cannot hold both stretches without loss.
  func check(_ id: TrackID, subject: String) throws {
    let change: String
    if old.codec != new.codec {
      change = "from \(old.codec?.name ?? "nothing") to \(new.codec?.name ?? "nothing")"
    } else if old.sound?.sampleRate != new.sound?.sampleRate {
      change = "its sample rate"
    } else if old.sound?.channels != new.sound?.channels {
      change = "its channels"
    } else if old.extradata != new.extradata, !isInBand {
      change = "its configuration"
    } else {
      return
    }
    throw MediaError(
      .unsupported,
      "The track \(id) changes \(change) at a discontinuity, which one track of a file cannot hold without loss.",
      subject: subject)
  }

  /// Whether decoders find the configuration among the pictures, as in MPEG-TS.
  private var isInBand: Bool {
    old.kind == .audio && old.extradata.isEmpty
      || new.extradata.starts(with: [0, 0, 0, 1]) || new.extradata.starts(with: [0, 0, 1])
  }
}
