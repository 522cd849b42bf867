import SiloSystem

/// Whether a clock folds after 33 bits, and what it is unfolded against.
enum Folding: Hashable {
  /// It does not fold.
  case none
  /// It folds, and the first time is taken as it is.
  case fromFirst
  /// It folds, and the next time lies near this one, in ticks of 1/90000 s.
  case near(Int64)
}

/// One open demuxer, its packets unfolded, and what was read ahead of it.
final class DemuxedPart {
  private let input: InputContext
  private let streamOfTrack: [Int: Int]
  private let trackOfStream: [Int: Int]
  private let cancel: CancellationFlag
  private var folding: Folding
  private let shift: Int64
  private var queue: [HeldPacket] = []
  private var head = 0
  private var isAtEnd = false
  /// Whether its packets tell no time, so that the playlist's was taken.
  let isUntimed: Bool
  /// Whether the bytes are one elementary stream, in which packets have no place of their own.
  let isPacked: Bool
  /// The segments that it reads; `nil` of a whole file.
  let joined: JoinedByteSource?
  private let textCodecs: [Int: TextConversion]
  /// Of tracks of a container that shows one text at a time.
  private var joints: [Int: TextJoint]
  private var texts: [HeldPacket] = []
  /// What was lost of the looks of texts so far, by track.
  private(set) var textLosses: [Int: Set<StyledText.Loss>] = [:]
  private let isPicture: [Int: Bool]
  private var paces: [Int: PacketPace]
  private var started: Set<Int> = []
  private var released: ArraySlice<HeldPacket> = []

  /// More pictures than any codec reorders.
  private static let reorderLimit = 64

  /// The most that is read ahead to learn first times.
  private static let lookaheadByteCount = 24 << 20

  init(
    _ input: consuming InputContext, streamOfTrack: [Int: Int],
    conversions: [Int: TextConversion] = [:], folding: Folding = .none, shift: Int64 = 0,
    isUntimed: Bool = false, isPacked: Bool = false, joined: JoinedByteSource? = nil,
    cancel: CancellationFlag
  ) {
    input.keepOnly(streamOfTrack.values)
    let kinds = Dictionary(
      input.streams.map { ($0.index, $0.kind) }, uniquingKeysWith: { first, _ in first })
    isPicture = streamOfTrack.mapValues { kinds[$0] == .video }
    let sound = streamOfTrack.filter { kinds[$0.value] == .audio }.keys
    paces = Dictionary(uniqueKeysWithValues: sound.map { ($0, PacketPace()) })
    self.input = input
    self.streamOfTrack = streamOfTrack
    trackOfStream = Dictionary(
      streamOfTrack.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    textCodecs = conversions
    joints = conversions.filter { $0.value.target == .movText }.mapValues { _ in TextJoint() }
    self.folding = folding
    self.shift = shift
    self.isUntimed = isUntimed
    self.isPacked = isPacked
    self.joined = joined
    self.cancel = cancel
  }

  /// The facts of a track's stream.
  func facts(of track: Int) -> StreamFacts? {
    streamOfTrack[track].flatMap { index in input.streams.first { $0.index == index } }
  }

  /// The facts of all its streams.
  var streams: [StreamFacts] { input.streams }

  /// How long the input plays, as far as its headers say.
  var duration: Duration? { input.duration }

  /// Adds the stream of a track to an output.
  func addStream(of track: Int, to output: borrowing OutputContext, as facts: OutputStream) throws {
    guard let stream = streamOfTrack[track] else { return }
    try output.addStream(like: stream, of: input, as: facts)
  }

  /// Reads until every track of `tracks` was seen, pictures several times, or a limit.
  func readAhead(untilSeen tracks: Set<Int>, video: Set<Int>) throws {
    var bytes = 0
    var seen: [Int: Int] = [:]
    while bytes < Self.lookaheadByteCount,
      !tracks.allSatisfy({ (seen[$0] ?? 0) >= (video.contains($0) ? 6 : 1) }),
      let packet = try read()
    {
      queue.append(packet)
      bytes += packet.packet.byteCount + 256
      seen[packet.track, default: 0] += 1
    }
  }

  /// The packets that were read ahead.
  var ahead: ArraySlice<HeldPacket> { queue[head...] }

  /// The next packet, which stays.
  func peek() throws -> HeldPacket? {
    if head < queue.count { return queue[head] }
    queue.removeAll(keepingCapacity: true)
    head = 0
    guard let packet = try read() else { return nil }
    queue.append(packet)
    return packet
  }

  /// Takes the next packet away.
  func drop() { head += 1 }

  private func read() throws -> HeldPacket? {
    if let released = released.popFirst() { return released }
    guard let packet = try demux() else { return nil }
    guard packet.packet.decodeTime == nil, isPicture[packet.track] == true,
      started.insert(packet.track).inserted
    else {
      started.insert(packet.track)
      return packet
    }
    try hold(from: packet)
    return released.popFirst()
  }

  /// Reads on until the track of `first` tells a decode time, and gives the packets before it theirs.
  private func hold(from first: HeldPacket) throws {
    var held = [first]
    var own = [0]
    var known: Int64?
    while known == nil, own.count < Self.reorderLimit, held.count < Self.reorderLimit * 32,
      let next = try demux()
    {
      if next.track == first.track {
        own.append(held.count)
        known = next.packet.decodeTime
      }
      held.append(next)
    }
    let times = DecodeStart.times(
      presentations: own.map { held[$0].packet.presentationTime ?? 0 }, known: known,
      duration: first.packet.duration)
    for (index, time) in zip(own, times) { held[index].decode(at: time) }
    released = held[...]
  }

  private func demux() throws -> HeldPacket? {
    while true {
      if !texts.isEmpty { return texts.removeFirst() }
      guard !isAtEnd else { return nil }
      try cancel.check()
      let packet = try PacketBuffer()
      guard try input.readPacket(into: packet) else {
        isAtEnd = true
        try joinTexts { $0.end() }
        continue
      }
      guard let track = trackOfStream[packet.stream],
        let timeBase = input.timeBase(of: packet.stream)
      else { continue }
      if joints[track] != nil {
        unfold(packet, timeBase)
        try join(packet, of: track, timeBase)
        continue
      }
      if let conversion = textCodecs[track],
        try !conversion.convert(packet, &textLosses[track, default: []])
      {
        continue
      }
      unfold(packet, timeBase)
      paces[track]?.fill(packet)
      let held = HeldPacket(packet, track: track, timeBase: timeBase)
      try joinTexts { $0.pass(.nanoseconds(held.decode)) }
      return held
    }
  }

  /// Takes a text in, and queues what is settled by it.
  private func join(_ packet: borrowing PacketBuffer, of track: Int, _ timeBase: TimeBase) throws {
    guard let conversion = textCodecs[track],
      let time = packet.presentationTime ?? packet.decodeTime,
      let text = conversion.text(of: packet, &textLosses[track, default: []])
    else { return }
    let start = timeBase.nanoseconds(of: time)
    // One without a length is there all the same, as short as can be.
    let length = max(1_000_000, timeBase.nanoseconds(of: packet.duration ?? 0))
    let cue = TextCue(
      start: .nanoseconds(start), end: .nanoseconds(start &+ length), text: text)
    let settled = joints[track]?.add(cue) ?? []
    texts += try settled.map { try $0.packet(of: track, as: conversion.target) }
  }

  private func joinTexts(_ settle: (inout TextJoint) -> [TextCue]) throws {
    for track in joints.keys.sorted() {
      guard var joint = joints[track], let codec = textCodecs[track]?.target else { continue }
      let settled = settle(&joint)
      joints[track] = joint
      texts += try settled.map { try $0.packet(of: track, as: codec) }
    }
  }

  /// Unfolds 33-bit times: the decode time against the last one, the presentation time against its decode time.
  private func unfold(_ packet: borrowing PacketBuffer, _ timeBase: TimeBase) {
    if folding != .none, timeBase == TimeBase(1, 90_000) {
      if let raw = packet.decodeTime ?? packet.presentationTime {
        var decode = raw
        if case .near(let reference) = folding {
          decode = ClockFold.unfolded(raw, near: reference)
        }
        folding = .near(decode)
        if packet.decodeTime != nil { packet.decodeTime = decode }
        packet.presentationTime = packet.presentationTime.map {
          ClockFold.unfolded($0, near: decode)
        }
      }
    } else if shift != 0 {
      let ticks = timeBase.ticks(ofNanoseconds: shift)
      packet.decodeTime = packet.decodeTime.map { $0 &+ ticks }
      packet.presentationTime = packet.presentationTime.map { $0 &+ ticks }
    }
  }
}
