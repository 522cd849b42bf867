import SiloSystem

/// Finds the packets of one track again that a scan indexed, and writes them as a fragment.
struct FragmentReader: Sendable {
  let source: MediaSource
  /// The stream of the track, and the one whose key frames seeking goes by.
  let stream: Int
  let seekStream: Int
  let index: PacketIndex
  /// Added to every time.
  let shift: Duration

  /// The fragment `number` with `packets`, read on the calling thread.
  ///
  /// Throws `MediaError.corrupt` when the file is no longer the one that was
  /// indexed.
  func fragment(_ number: Int, packets: Range<Int>, cancel: CancellationFlag) throws -> [UInt8] {
    guard !packets.isEmpty, index.packets.indices.contains(packets.lowerBound) else {
      throw MediaError(.notFound, "There is no such segment.", subject: source.name)
    }
    // Earlier and earlier, because the bytes of a track may lie before those of its neighbours; at last from the
    // start of the file, by counting.
    for margin in [Duration.zero, .seconds(5), .seconds(30)] where packets.lowerBound > 0 {
      if let bytes = try attempt(number, packets, margin: margin, cancel: cancel) { return bytes }
    }
    if let bytes = try attempt(number, packets, margin: nil, cancel: cancel) { return bytes }
    throw MediaError(
      .corrupt, "The file has changed since it was looked at; ask again.", subject: source.name)
  }

  private func attempt(
    _ number: Int, _ packets: Range<Int>, margin: Duration?, cancel: CancellationFlag
  ) throws -> [UInt8]? {
    let input = try InputContext.open(source, options: InputOptions(), cancel: cancel)
    guard let parameters = input.parameters(of: stream) else { return nil }
    input.keepOnly([stream])
    if let margin {
      let first = index.packets[packets.lowerBound].presentationTime
      let time = index.timeBase.duration(of: first) - margin
      guard let ticks = input.timeBase(of: seekStream)?.firstTick(at: time),
        (try? input.seek(stream: seekStream, to: ticks)) != nil
      else { return nil }
    }
    let packet = try PacketBuffer()
    let isFound =
      margin == nil
      ? try skip(packets.lowerBound, in: input, packet)
      : try find(packets.lowerBound, in: input, packet)
    guard isFound else { return nil }
    let muxer = try FragmentMuxer.start(parameters, timeBase: index.timeBase, number: number)
    let filter = try ADTSFilter.start(parameters, timeBase: index.timeBase)
    let shift = index.timeBase.firstTick(at: shift)
    for position in packets {
      let known = index.packets[position]
      guard packet.byteCount == Int(known.byteCount) else { return nil }
      try filter?.convert(packet)
      try muxer.write(
        packet, presentationTime: known.presentationTime + shift,
        decodeTime: known.decodeTime + shift, duration: index.decodeDuration(of: position))
      if position + 1 < packets.upperBound {
        guard try next(in: input, packet) else { return nil }
      }
    }
    return try muxer.finish()
  }

  /// Reads on to the track's next packet; `false` at the end.
  private func next(in input: borrowing InputContext, _ packet: borrowing PacketBuffer) throws
    -> Bool
  {
    while try input.readPacket(into: packet) {
      if packet.stream == stream { return true }
    }
    return false
  }

  private func skip(
    _ count: Int, in input: borrowing InputContext, _ packet: borrowing PacketBuffer
  ) throws -> Bool {
    for _ in 0...count {
      guard try next(in: input, packet) else { return false }
    }
    return true
  }

  private func find(
    _ position: Int, in input: borrowing InputContext, _ packet: borrowing PacketBuffer
  ) throws -> Bool {
    let wanted = index.packets[position]
    let limit = wanted.presentationTime + index.timeBase.firstTick(at: .seconds(10))
    while try next(in: input, packet) {
      guard let time = packet.presentationTime else { continue }
      if time == wanted.presentationTime, packet.byteCount == Int(wanted.byteCount) { return true }
      if time > limit { return false }
    }
    return false
  }
}
