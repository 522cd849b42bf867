/// How far apart the packets of a track of sound are, for those that do not say how long they play.
///
/// Nothing follows the last packet that would tell: without a duration MP4 would end where it begins, and nobody would hear it.
struct PacketPace: Hashable {
  private var last: Int64?
  private var distance: Int64?

  /// Gives a packet without a duration that of the one before it.
  mutating func fill(_ packet: borrowing PacketBuffer) {
    let time = packet.presentationTime ?? packet.decodeTime
    if let time, let last, time > last { distance = time - last }
    last = time ?? last
    if let own = packet.duration { distance = own } else { packet.duration = distance }
  }
}
