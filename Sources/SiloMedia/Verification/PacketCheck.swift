import SiloSystem

/// Whether every packet of a file can be read, and the last is where the header promises the end.
struct PacketCheck {
  private let source: MediaSource
  private let window: ByteWindow
  private let inventory: MediaInventory
  private let cancel: CancellationFlag

  init(
    _ source: MediaSource, _ window: ByteWindow, _ inventory: MediaInventory,
    cancel: CancellationFlag
  ) {
    self.source = source
    self.window = window
    self.inventory = inventory
    self.cancel = cancel
  }

  /// The faults.
  func faults() throws -> [MediaFault] {
    if let fault = try envelope() { return [fault] }
    let tail = min(4096, window.byteCount)
    let isPlain = inventory.audio.contains { $0.codec.name.hasPrefix("pcm_") }
    if !isPlain, tail >= 512, try window.isZero(at: window.byteCount - tail, Int(tail)) {
      return [
        MediaFault(.zeros, "The file ends in zeros; fetch it again.", at: window.byteCount - tail)
      ]
    }
    return try packets()
  }

  /// The length that the outermost structure states: RIFF, and the last page of Ogg.
  private func envelope() throws -> MediaFault? {
    let head = try window.bytes(at: 0, 12)
    if head.starts(with: Array("RIFF".utf8)), head.count >= 8 {
      let size = head.dropFirst(4).prefix(4).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      if size != 0xFFFF_FFFF, size + 8 > window.byteCount + 1 {
        return MediaFault(
          .cut, "The file ends \(size + 8 - window.byteCount) bytes early; fetch it again.")
      }
    }
    if head.starts(with: Array("OggS".utf8)) {
      let count = min(window.byteCount, 128 << 10)
      let tail = try window.bytes(at: window.byteCount - count, Int(count))
      let isEnded = tail.indices.contains { index in
        tail[index] == 0x4F && tail[index...].starts(with: [0x4F, 0x67, 0x67, 0x53, 0])
          && tail.count > index - tail.startIndex + 5 && tail[index + 5] & 4 != 0
      }
      if !isEnded { return MediaFault(.cut, "The file has no last page; it is cut.") }
    }
    return nil
  }

  private func packets() throws -> [MediaFault] {
    var faults: [MediaFault] = []
    do {
      let input = try InputContext.open(source, cancel: cancel)
      let packet = try PacketBuffer()
      var end = Duration.zero
      let start = input.streams.compactMap(\.start).min() ?? .zero
      while try input.readPacket(into: packet) {
        if packet.isCorrupt, faults.isEmpty {
          faults.append(MediaFault(.damaged, "A packet is damaged.", at: packet.position))
        }
        if let time = packet.presentationTime ?? packet.decodeTime,
          let base = input.timeBase(of: packet.stream)
        {
          end = max(end, base.duration(of: time &+ (packet.duration ?? 0)))
        }
      }
      let played = end - start
      if let promised = inventory.duration, end > .zero, played * 1.02 + .seconds(1) < promised {
        faults.append(
          MediaFault(
            .cut, "The packets end after \(played) of \(promised); fetch it again."))
      }
    } catch let error as LibavError {
      faults.append(MediaFault(.damaged, "\(error.description)."))
    }
    return faults
  }
}
