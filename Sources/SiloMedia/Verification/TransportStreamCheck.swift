/// Whether the packets of an MPEG transport stream are in step to its end (ISO/IEC 13818-1, 2.4.3.2).
struct TransportStreamCheck {
  private static let spacing: Int64 = 64 << 10

  private let window: ByteWindow

  init(_ window: ByteWindow) { self.window = window }

  /// The first fault, if there is one.
  func faults() throws -> [MediaFault] {
    guard let (first, size) = try step() else {
      return [MediaFault(.damaged, "The packets of the stream are not in step.", at: 0)]
    }
    let packets = (window.byteCount - first + 4) / size
    let perStride = max(1, Self.spacing / size)
    var packet: Int64 = 0
    while packet < packets {
      let offset = first + packet * size
      guard try window.bytes(at: offset, 1).first == 0x47 else {
        return try window.isZero(at: offset, 64)
          ? [MediaFault(.zeros, "A stretch of the stream is zeros; fetch it again.", at: offset)]
          : [MediaFault(.damaged, "The packets fall out of step; fetch it again.", at: offset)]
      }
      packet = packet < packets - 1 ? min(packet + perStride, packets - 1) : packets
    }
    // Four bytes of a timecode stand before each packet of 192.
    let rest = (window.byteCount - first + (size == 192 ? 4 : 0)) % size
    return rest == 0
      ? []
      : [MediaFault(.cut, "The stream ends inside of a packet; it is cut.", at: window.byteCount)]
  }

  /// The first sync byte and the distance of packets: 188, 192 with timecodes, 204 with parity.
  private func step() throws -> (first: Int64, size: Int64)? {
    let head = try window.bytes(at: 0, 1024)
    for size in [188, 192, 204] {
      for first in 0..<min(size, head.count) {
        let places = stride(from: head.startIndex + first, to: head.endIndex, by: size)
        if places.allSatisfy({ head[$0] == 0x47 }) {
          return (Int64(first), Int64(size))
        }
      }
    }
    return nil
  }
}
