/// One packet as a scan of the file saw it; times in ticks of its track.
struct IndexedPacket: Hashable, Sendable {
  var presentationTime: Int64
  var decodeTime: Int64
  var duration: Int32
  var byteCount: Int32
  var isKey: Bool
}

/// Every packet of one track, in the order of the file.
struct PacketIndex: Hashable, Sendable {
  var timeBase: TimeBase
  var packets: [IndexedPacket]
  /// Whether decode times were seen that no fragment can carry.
  private(set) var hasUnsoundTimes = false

  init(timeBase: TimeBase, packets: [IndexedPacket] = []) {
    self.timeBase = timeBase
    self.packets = packets
  }

  /// When the first packet is shown; `nil` without packets.
  var start: Duration? {
    packets.lazy.map(\.presentationTime).min().map(timeBase.duration)
  }

  /// When the last packet has been shown; `nil` without packets.
  var end: Duration? {
    packets.lazy.map { $0.presentationTime &+ Int64($0.duration) }.max().map(timeBase.duration)
  }

  /// The first decode time; `nil` without packets.
  var firstDecodeTime: Duration? { packets.first.map { timeBase.duration(of: $0.decodeTime) } }

  /// Adds the next packet, with the times that the container gives.
  mutating func append(
    presentationTime: Int64?, decodeTime: Int64?, duration: Int64?, byteCount: Int, isKey: Bool
  ) {
    let expected = packets.last.map { $0.presentationTime &+ Int64(max(1, $0.duration)) }
    let presentation = presentationTime ?? decodeTime ?? expected ?? 0
    let earliest = packets.last.map { $0.decodeTime &+ 1 } ?? .min
    let latest = max(earliest, presentation)
    if decodeTime.map({ (earliest...latest).contains($0) && $0 <= presentation }) != true {
      hasUnsoundTimes = true
    }
    packets.append(
      IndexedPacket(
        presentationTime: presentation, decodeTime: decodeTime ?? presentation,
        duration: Int32(clamping: duration ?? 0), byteCount: Int32(clamping: byteCount),
        isKey: isKey))
  }

  /// Makes decode times anew when the container's are missing, do not grow, or come after the picture is shown:
  /// the sorted presentation times, early enough for every packet.
  mutating func settle() {
    guard hasUnsoundTimes else { return }
    var times = packets.map(\.presentationTime).sorted()
    for number in times.indices.dropFirst() where times[number] <= times[number - 1] {
      times[number] = times[number - 1] + 1
    }
    let delay = zip(times, packets).map { $0 - $1.presentationTime }.max() ?? 0
    for number in packets.indices { packets[number].decodeTime = times[number] - delay }
    hasUnsoundTimes = false
  }

  /// How long packet `number` lasts until the next one is decoded, in ticks.
  func decodeDuration(of number: Int) -> Int64 {
    if packets.indices.contains(number + 1) {
      return packets[number + 1].decodeTime - packets[number].decodeTime
    }
    let own = Int64(packets[number].duration)
    if own > 0 { return own }
    return number > 0 ? packets[number].decodeTime - packets[number - 1].decodeTime : 1
  }

  /// The bytes of these packets.
  func byteCount(of range: Range<Int>) -> Int64 {
    packets[range].reduce(0) { $0 + Int64($1.byteCount) }
  }
}
