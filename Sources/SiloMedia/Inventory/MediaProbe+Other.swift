import SiloSystem

extension MediaProbe {
  /// Looks into everything that libavformat tells by itself: MPEG-TS, audio files, AVI.
  func other() throws -> MediaInventory {
    let bytes: any ByteSource =
      readsFreely ? source.bytes : BlockByteSource(source.bytes, byteBudget: options.byteBudget)
    let options = InputOptions(
      probeByteCount: readsFreely ? 8 << 20 : 1 << 20, probeDuration: .seconds(10),
      bufferByteCount: 64 << 10)
    let input: InputContext
    do {
      input = try InputContext.open(
        MediaSource(name: source.name, bytes: bytes), options: options, cancel: cancel)
    } catch let error as LibavError where error.mediaCode == .corrupt {
      throw MediaError(
        .unsupported, "This is of no kind of media that can be read here, or its start is damaged.",
        subject: source.name, cause: error)
    }
    let streams = input.streams
    let duration = input.duration
    let notes = try SizeShare.filled(
      sampled(input, streams: streams, duration: duration), streams: streams, total: size.byteCount)
    let tracks = TrackListing(streams, notes: notes)
    guard !(tracks.video.isEmpty && tracks.audio.isEmpty && tracks.subtitles.isEmpty) else {
      throw MediaError(
        .unsupported, "There is no track in it that can be read here.", subject: source.name)
    }
    return MediaInventory(
      kind: .file, container: Self.container(input.formatName), duration: duration, size: size,
      video: tracks.video, audio: tracks.audio, subtitles: tracks.subtitles,
      chapters: Self.ended(input.chapters, duration),
      title: input.metadata["title"].flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The one name of libav's list that people use.
  static func container(_ name: String) -> String {
    name.split(separator: ",").first.map(String.init) ?? name
  }

  /// Sizes by the packets of the first seconds; all of the file when there is but one stream.
  private func sampled(
    _ input: borrowing InputContext, streams: [StreamFacts], duration: Duration?
  ) throws -> [Int: TrackNote] {
    let real = streams.filter {
      [.video, .audio, .subtitle].contains($0.kind) && !$0.dispositions.contains(.attachedPicture)
    }
    if real.count == 1, let only = real.first, streams.count == 1 {
      // Headers, tags and padding count little in a long file.
      let basis: SizeEstimate.Basis = (size.byteCount ?? 0) >= 256 << 10 ? .measured : .declared
      return [
        only.index: TrackNote(size: SizeEstimate(byteCount: size.byteCount, basis: basis))
      ]
    }
    let sample = try PacketSample(input, byteLimit: readsFreely ? 16 << 20 : 512 << 10)
    var notes: [Int: TrackNote] = [:]
    for stream in real {
      var note = TrackNote()
      if sample.isWhole {
        note.size = SizeEstimate(byteCount: sample.byteCounts[stream.index] ?? 0, basis: .exact)
      } else if stream.kind == .audio, let duration, let bytes = sample.byteCounts[stream.index],
        let span = sample.spans[stream.index], (span.last - span.first).seconds > 0.5
      {
        let estimate = Double(bytes) * duration.seconds / (span.last - span.first).seconds
        let isConstant = ["ac3", "eac3", "mp2", "mp3", "dts"].contains(stream.codec?.name ?? "")
        note.size = SizeEstimate(
          byteCount: Int64(exactly: estimate.rounded()), basis: isConstant ? .measured : .declared)
      }
      let plain = stream.plainSize(in: duration)
      if !sample.isWhole, plain.byteCount != nil { note.size = plain }
      notes[stream.index] = note
    }
    return notes
  }
}
