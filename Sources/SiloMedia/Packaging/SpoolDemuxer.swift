import SiloSystem

/// Opens stretches of a spool: tells their kind by their bytes and joins them into one source.
struct SpoolDemuxer {
  /// The spool.
  var file: FileByteSource
  /// What messages call it.
  var name: String
  /// Ends the reading.
  var cancel: CancellationFlag

  private enum Kind { case transportStream, fragments, packedAudio }

  /// Opens `part`, whose clock is unfolded against what `clock` expects at its first segment.
  func open(
    _ part: SpoolPart, wanted: [Int: PackageTrack], container: OutputContainer, clock: RunClock
  ) throws -> DemuxedPart {
    guard let first = part.segments.first else {
      throw MediaError(.corrupt, "The rendition has no segment.", subject: name)
    }
    let kind = try kind(of: part, first)
    var ranges = part.initSection.map { [$0] } ?? []
    var shift: Int64 = 0
    var isUntimed = false
    let expected = clock.expected(at: first.start)
    switch kind {
    case .packedAudio:
      let tags = try part.segments.map { try tag(of: $0) }
      ranges = zip(part.segments, tags).map { segment, tag in
        min(
          segment.bytes.lowerBound + Int64(tag.byteCount), segment.bytes.upperBound)..<segment.bytes
          .upperBound
      }
      let raw = tags.first?.time.map { time in
        expected.map { ClockFold.unfolded(time, near: $0) } ?? time
      }
      // Without a tag only the playlist tells the time.
      isUntimed = raw == nil
      let ticks = raw ?? expected
      shift =
        ticks.map { TimeBase(1, 90_000).nanoseconds(of: $0) } ?? first.start.nanoseconds
    case .transportStream, .fragments:
      ranges += part.segments.map(\.bytes)
    }
    let source = MediaSource(name: name, bytes: JoinedByteSource(file, ranges: ranges))
    var options = InputOptions(correctsOverflow: false, bufferByteCount: 512 << 10)
    options.format =
      switch kind {
      case .transportStream: "mpegts"
      case .fragments: "mov"
      case .packedAudio: nil
      }
    let input = try InputContext.open(source, options: options, cancel: cancel)
    let facts = input.streams
    let streams = try StreamLookup(facts).streams(of: wanted, name: name)
    var conversions: [Int: TextConversion] = [:]
    for (track, stream) in streams where wanted[track]?.id.kind == .subtitle {
      conversions[track] = TextConversion(
        from: facts.first { $0.index == stream }?.codec, to: container)
    }
    let folding: Folding =
      kind != .transportStream ? .none : expected.map(Folding.near) ?? .fromFirst
    return DemuxedPart(
      input, streamOfTrack: streams, conversions: conversions, folding: folding, shift: shift,
      isUntimed: isUntimed, isPacked: kind == .packedAudio,
      cancel: cancel)
  }

  private func kind(of part: SpoolPart, _ first: RenditionSpool.Segment) throws -> Kind {
    if part.initSection != nil { return .fragments }
    let head = try head(of: first, count: 512)
    if head.first == 0x47 && (head.count <= 188 || head[188] == 0x47) { return .transportStream }
    if case .mp4 = ContainerSniff(head[...]) { return .fragments }
    return .packedAudio
  }

  private func tag(of segment: RenditionSpool.Segment) throws -> PackedAudioTag {
    PackedAudioTag(try head(of: segment, count: 1024))
  }

  private func head(of segment: RenditionSpool.Segment, count: Int64) throws -> [UInt8] {
    let end = min(segment.bytes.lowerBound + count, segment.bytes.upperBound)
    return try file.bytes(segment.bytes.lowerBound..<end)
  }
}
