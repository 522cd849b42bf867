import SiloSystem

/// Cuts one media file into the segments of a multi-audio HLS presentation, on demand and without touching a packet.
///
/// Opening reads the file once; a segment reads only its own part. All tracks are moved by one constant, so that
/// their distance stays the file's to the sample. Subtitles that are text become WebVTT.
public struct HLSSegmenter: Sendable {
  /// The tracks that HLS carries: video, then audio, then subtitles; the first video alone.
  public let tracks: [HLSTrack]
  /// Why other tracks are not among them, one sentence each.
  public let leftOut: [String]
  /// The chapters of the file.
  public let chapters: [Chapter]
  /// Where the tracks are cut.
  public let plan: SegmentPlan
  /// What is added to every time of the file.
  public let shift: Duration
  /// The codecs by track, as RFC 6381 writes them; subtitles have none.
  public private(set) var codecStrings: [TrackID: String]

  let source: MediaSource
  let indexes: [TrackID: PacketIndex]
  let cues: [TrackID: [SubtitleCue]]
  let segmentTable: [TrackID: [SegmentPlan.Segment]]

  /// Looks through `source`; takes as long as reading the file once, on a thread of its own.
  ///
  /// Throws `MediaError.unsupported` when there is no track that HLS can carry, `.corrupt` for a file that is cut or has
  /// holes, whose playlists would make a shorter film look whole, and what reading throws.
  public static func open(_ source: MediaSource) async throws -> HLSSegmenter {
    try await onOwnThread(named: "hls-scan") { cancel in
      do {
        return try HLSSegmenter(source, cancel: cancel)
      } catch let error as LibavError {
        throw error.mediaError(subject: source.name)
      }
    }
  }

  private init(_ source: MediaSource, cancel: CancellationFlag) throws {
    let scan = try FragmentScan.run(
      source, isWanted: { [.video, .audio, .subtitle].contains($0.kind) },
      isText: { $0.codec.map(HLSTrack.text.contains) == true }, cancel: cancel)
    var choice = HLSTrackChoice(scan)
    let inventory = try MediaInventory.probeBlocking(source, cancel: cancel)
    if let fault = try StructureCheck.checkBlocking(source, found: inventory, cancel: cancel).first
    {
      throw MediaError(.corrupt, fault.message, subject: source.name)
    }
    for number in choice.tracks.indices { choice.tracks[number].adopt(inventory) }
    guard let leader = choice.tracks.first(where: { $0.id.kind != .subtitle }),
      let leaderIndex = scan.indexes[leader.stream]
    else {
      throw MediaError(
        .unsupported, "There is no track in this file that HLS can carry.", subject: source.name)
    }
    self.source = source
    tracks = choice.tracks
    leftOut = choice.leftOut
    chapters = scan.chapters
    let timed = choice.tracks.filter { $0.id.kind != .subtitle }
    let timedIndexes = timed.compactMap { scan.indexes[$0.stream] }
    let plan = SegmentPlan(leader: leaderIndex, others: Array(timedIndexes.dropFirst()))
    self.plan = plan
    shift = SegmentShift.shift(for: timedIndexes)
    var indexes: [TrackID: PacketIndex] = [:]
    var segments: [TrackID: [SegmentPlan.Segment]] = [:]
    var cues: [TrackID: [SubtitleCue]] = [:]
    for track in choice.tracks {
      guard let index = scan.indexes[track.stream] else { continue }
      guard track.id.kind != .subtitle else {
        cues[track.id] = SubtitleCue.cues(
          index, payloads: scan.texts[track.stream] ?? [], codec: track.codec)
        segments[track.id] = plan.everySegment
        continue
      }
      indexes[track.id] = index
      segments[track.id] =
        track.id == leader.id ? plan.segmentsOfLeader(index) : plan.segments(of: index)
    }
    (self.indexes, segmentTable, self.cues) = (indexes, segments, cues)
    codecStrings = [:]
    var names: [TrackID: String] = [:]
    for track in timed {
      names[track.id] = CodecString.of(try initSection(of: track, cancel: cancel))
    }
    codecStrings = names
  }
}
