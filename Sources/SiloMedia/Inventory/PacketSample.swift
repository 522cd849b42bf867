/// The packets of the first part of an input: their bytes and the time that they span, by the number of the stream.
struct PacketSample {
  private(set) var byteCounts: [Int: Int64] = [:]
  private(set) var spans: [Int: (first: Duration, last: Duration)] = [:]
  /// Whether that was all of the input.
  private(set) var isWhole = true

  /// Reads packets of more than `byteLimit` bytes, or all there are.
  init(_ input: borrowing InputContext, byteLimit: Int64) throws {
    let packet = try PacketBuffer()
    var total: Int64 = 0
    while total <= byteLimit {
      do {
        guard try input.readPacket(into: packet) else { return }
      } catch is LibavError {
        // A damaged place ends the sample; whether the file is whole is for the check to say.
        break
      }
      byteCounts[packet.stream, default: 0] += Int64(packet.byteCount)
      total += Int64(packet.byteCount)
      if let ticks = packet.decodeTime ?? packet.presentationTime,
        let time = input.timeBase(of: packet.stream)?.duration(of: ticks)
      {
        let old = spans[packet.stream] ?? (time, time)
        spans[packet.stream] = (min(old.first, time), max(old.last, time))
      }
    }
    isWhole = false
  }
}
