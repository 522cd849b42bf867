/// Where the tracks of one file are cut into segments: decided once, from the packet times alone.
///
/// Video is cut at key frames; every other track at the times of those cuts, so that all renditions change segments
/// together. Each packet is in exactly one segment of its track.
public struct SegmentPlan: Hashable, Sendable {
  /// One segment of one track.
  public struct Segment: Hashable, Sendable {
    /// Its number in the file, from 0; a track that has nothing for a while leaves numbers out.
    public var number: Int
    /// When it starts, on the clock of the file.
    public var start: Duration
    /// How long it is.
    public var duration: Duration
    /// The bytes of its packets, without the container's.
    public var byteCount: Int64
    /// Its packets in the index of the track.
    var packets: Range<Int>

    /// The number of its packets.
    public var packetCount: Int { packets.count }
  }

  /// When each segment starts, on the clock of the file; the first is the start of the earliest track.
  public let cuts: [Duration]
  /// When the last track ends.
  public let end: Duration

  /// Packets of the cutting track at which segments start.
  private let leaderCuts: [Int]

  /// Plans cuts at least `target` apart at key frames of `leader` (the video, or the only audio).
  init(leader: PacketIndex, others: [PacketIndex] = [], target: Duration = .seconds(6)) {
    let starts = ([leader] + others).compactMap(\.start)
    let first = starts.min() ?? .zero
    var (cuts, packets) = ([first], [0])
    for (number, packet) in leader.packets.enumerated().dropFirst() where packet.isKey {
      let time = leader.timeBase.duration(of: packet.presentationTime)
      guard let last = cuts.last, time - last >= target - .milliseconds(1) else { continue }
      cuts.append(time)
      packets.append(number)
    }
    self.cuts = cuts
    leaderCuts = packets
    end = ([leader] + others).compactMap(\.end).max() ?? first
  }

  /// The segments of the track that the cuts were made for.
  func segmentsOfLeader(_ leader: PacketIndex) -> [Segment] {
    segments(of: leader, starts: leaderCuts)
  }

  /// The segments of any other track: a packet belongs to the segment in which it starts to be heard.
  func segments(of track: PacketIndex) -> [Segment] {
    var starts = [0]
    var packet = 0
    for cut in cuts.dropFirst() {
      let tick = track.timeBase.firstTick(at: cut)
      while packet < track.packets.count, track.packets[packet].presentationTime < tick {
        packet += 1
      }
      starts.append(packet)
    }
    return segments(of: track, starts: starts)
  }

  private func segments(of track: PacketIndex, starts: [Int]) -> [Segment] {
    var result: [Segment] = []
    for (number, start) in starts.enumerated() {
      let packets = start..<(number + 1 < starts.count ? starts[number + 1] : track.packets.count)
      guard !packets.isEmpty else { continue }
      // What has no packets is told by the length of the segment before it, or of the first one.
      let time = result.isEmpty ? cuts[0] : cuts[number]
      if let last = result.indices.last { result[last].duration = time - result[last].start }
      result.append(
        Segment(
          number: number, start: time, duration: (track.end ?? time) - time,
          byteCount: track.byteCount(of: packets), packets: packets))
    }
    return result
  }
}

extension TimeBase {
  /// The first tick that is not before `time`.
  func firstTick(at time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    let scale = Int128(1_000_000_000_000_000_000)
    let scaled = (Int128(seconds) * scale + Int128(attoseconds)) * Int128(denominator)
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int128(numerator) * scale)
    return Int64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
