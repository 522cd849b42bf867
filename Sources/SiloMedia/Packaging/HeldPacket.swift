/// A packet on its way from an input to the file.
final class HeldPacket {
  /// The packet; its times are raw and unfolded, in ticks of `timeBase`.
  let packet: PacketBuffer
  /// The track of the plan that it belongs to.
  let track: Int
  /// The tick of its times.
  let timeBase: TimeBase
  /// Its presentation time in nanoseconds of the raw clock.
  let presentation: Int64
  /// Its decode time in nanoseconds of the raw clock.
  private(set) var decode: Int64
  /// How long it plays in nanoseconds.
  let duration: Int64

  init(_ packet: consuming PacketBuffer, track: Int, timeBase: TimeBase) {
    let decode = packet.decodeTime ?? packet.presentationTime ?? 0
    self.decode = timeBase.nanoseconds(of: decode)
    presentation = timeBase.nanoseconds(of: packet.presentationTime ?? decode)
    duration = timeBase.nanoseconds(of: packet.duration ?? 0)
    self.packet = packet
    self.track = track
    self.timeBase = timeBase
  }

  /// Gives a packet that came without a decode time one, in ticks of `timeBase`.
  func decode(at ticks: Int64) {
    packet.decodeTime = ticks
    decode = timeBase.nanoseconds(of: ticks)
  }

  /// Sets the times to ticks of the output, `shift` nanoseconds later.
  ///
  /// The shift is one number of ticks for all packets of a track in a run, so their distances stay exact.
  ///
  /// - Returns: How many nanoseconds before the one before it the packet would have been decoded.
  func move(by shift: Int64, to target: TimeBase, _ repair: inout TimestampRepair) -> Int64 {
    let ticks = timeBase.ticks(ofNanoseconds: shift)
    packet.presentationTime = packet.presentationTime.map { $0 &+ ticks }
    packet.decodeTime = packet.decodeTime.map { $0 &+ ticks }
    packet.rescaleTimes(from: timeBase, to: target)
    let lag = repair.lag(of: packet.decodeTime ?? packet.presentationTime)
    let times = repair.repaired(
      presentation: packet.presentationTime, decode: packet.decodeTime)
    packet.presentationTime = times.presentation
    packet.decodeTime = times.decode
    packet.stream = track
    return target.nanoseconds(of: lag)
  }
}

extension TimeBase {
  /// Ticks as nanoseconds, rounded to the nearest.
  func nanoseconds(of ticks: Int64) -> Int64 {
    Self.quotient(Int128(ticks) * Int128(numerator) * 1_000_000_000, Int128(denominator))
  }

  /// Nanoseconds as ticks, rounded to the nearest.
  func ticks(ofNanoseconds nanoseconds: Int64) -> Int64 {
    guard numerator > 0 else { return 0 }
    return Self.quotient(
      Int128(nanoseconds) * Int128(denominator), Int128(numerator) * 1_000_000_000)
  }

  private static func quotient(_ a: Int128, _ b: Int128) -> Int64 {
    let half = b / 2
    let (quotient, rest) = (a + half).quotientAndRemainder(dividingBy: b)
    return Int64(clamping: rest < 0 ? quotient - 1 : quotient)
  }
}

extension Duration {
  /// In nanoseconds.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
  }
}
