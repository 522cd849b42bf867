import SiloSystem

/// Opens stretches of a spool: tells their kind by their bytes and joins them into one source.
struct SpoolDemuxer {
  /// Reads the spool.
  var reader: SpoolReader
  /// Ends the reading.
  var cancel: CancellationFlag

  private enum Kind { case transportStream, fragments, packedAudio }

  /// Opens `part`, whose clock is unfolded against what `clock` expects at its first segment; its streams are those of
  /// `earlier`, the first part, by language.
  func open(
    _ part: SpoolPart, wanted: [Int: PackageTrack], container: OutputContainer, clock: RunClock,
    like earlier: [StreamFacts]? = nil
  ) throws -> DemuxedPart {
    guard let first = part.segments.first else {
      throw MediaError(.corrupt, "The rendition has no segment.", subject: reader.name)
    }
    let kind = try kind(of: part, first)
    var shift: Int64 = 0
    var isUntimed = false
    let expected = clock.expected(at: first.start)
    switch kind {
    case .packedAudio:
      let tag = PackedAudioTag(
        try reader.head(of: first.part, count: PackedAudioTag.longest))
      let raw = tag.time.map { time in
        expected.map { ClockFold.unfolded(time, near: $0) } ?? time
      }
      // Without a tag only the playlist tells the time.
      isUntimed = raw == nil
      let ticks = raw ?? expected
      shift =
        ticks.map { TimeBase(1, 90_000).nanoseconds(of: $0) } ?? first.start.nanoseconds
    case .transportStream, .fragments: break
    }
    let joined = JoinedByteSource(
      reader, part, cuttingTags: kind == .packedAudio,
      // The frames that libavformat reads before it knows their sample rate have no times of their own. It starts from the
      // front again when it has looked for the last time of the stream: so there is an end to look at, which is there already.
      byteCount: kind == .transportStream ? Int64(try reader.range(of: first.part).count) : nil)
    let source = MediaSource(name: reader.name, bytes: joined)
    var options = InputOptions(correctsOverflow: false, bufferByteCount: 512 << 10)
    options.format =
      switch kind {
      case .transportStream: "mpegts"
      case .fragments: "mov"
      case .packedAudio: nil
      }
    // Without it, all fragments are looked for before the first is read.
    if kind == .fragments { options.options["fflags"] = "+ignidx" }
    let input = try InputContext.open(source, options: options, cancel: cancel)
    joined.startLettingGo()
    let facts = input.streams
    let streams = try streams(of: facts, wanted, like: earlier, at: first)
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
      joined: joined, cancel: cancel)
  }

  private func streams(
    of facts: [StreamFacts], _ wanted: [Int: PackageTrack], like earlier: [StreamFacts]?,
    at first: RenditionInput.Segment
  ) throws -> [Int: Int] {
    let lookup = StreamLookup(facts)
    guard let earlier else { return try lookup.streams(of: wanted, name: reader.name) }
    let found = lookup.streams(of: wanted, asIn: StreamLookup(earlier))
    return try found.mapValues { stream in
      if let stream { return stream }
      let lost = found.filter { $0.value == nil }.keys.compactMap { wanted[$0]?.id.description }
      throw MediaError(
        .unsupported,
        "From \(first.start.seconds) s on (media sequence \(first.mediaSequence)) the source has no track \(lost.sorted().joined(separator: ", ")), which it had before; leave that track out.",
        subject: reader.name)
    }
  }

  private func kind(of part: SpoolPart, _ first: RenditionInput.Segment) throws -> Kind {
    if part.initPart != nil { return .fragments }
    let head = try reader.head(of: first.part, count: 512)
    if head.first == 0x47 && (head.count <= 188 || head[188] == 0x47) { return .transportStream }
    if case .mp4 = ContainerSniff(head[...]) { return .fragments }
    return .packedAudio
  }
}
