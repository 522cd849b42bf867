extension MediaProbe {
  /// Looks into Matroska or WebM.
  func matroska() throws -> MediaInventory {
    let header = try MatroskaHeader(cache)
    if header.tracks.contains(where: \.isEncrypted) {
      throw MediaError(
        .encrypted, "The tracks are encrypted. Choose another source of it.", subject: source.name)
    }
    let input = try opened(
      header.headers, options: InputOptions(format: "matroska", readsStreamInfo: false))
    let streams = input.streams
    var notes = notes(for: streams, header: header)
    Self.addStatistics(to: &notes, streams: streams, header: header, total: size.byteCount)
    for stream in streams where notes[stream.index]?.size.byteCount == nil {
      notes[stream.index]?.size = stream.plainSize(in: input.duration)
    }
    if notes.values.contains(where: { $0.size.byteCount == nil }) {
      notes = try sampled(notes, streams: streams, header: header, duration: input.duration)
    }
    let tracks = TrackListing(streams, notes: notes)
    return MediaInventory(
      kind: .file, container: header.documentType == "webm" ? "webm" : "mkv",
      duration: input.duration, size: size, video: tracks.video, audio: tracks.audio,
      subtitles: tracks.subtitles, chapters: Self.ended(input.chapters, input.duration),
      title: input.metadata["title"].flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The sizes that nothing states: from the media that came with the headers, else from places within the film.
  private func sampled(
    _ notes: [Int: TrackNote], streams: [StreamFacts], header: MatroskaHeader, duration: Duration?
  ) throws -> [Int: TrackNote] {
    if !readsFreely, let opening = MatroskaOpening(header, cache: cache),
      let filled = opening.filled(
        notes, streams: streams, tracks: header.tracks, total: size.byteCount, duration: duration)
    {
      return filled
    }
    var notes = notes
    let measured = try MatroskaSample(
      header, cache: cache, count: readsFreely ? 8 : 2, duration: duration)
    measured.fill(&notes, streams: streams, tracks: header.tracks, duration: duration)
    return SizeShare.filled(notes, streams: streams, total: size.byteCount)
  }

  /// What the track entries say, by stream; libav makes streams of them in their order.
  private func notes(for streams: [StreamFacts], header: MatroskaHeader) -> [Int: TrackNote] {
    let entries = header.tracks.filter(\.isStream)
    var notes: [Int: TrackNote] = [:]
    for (index, entry) in entries.enumerated() where index < streams.count {
      var note = TrackNote()
      note.storedLanguage = entry.storedLanguage
      note.title = entry.name
      var flags = streams[index].dispositions
      flags.remove([.isDefault, .forced])
      if entry.isDefault { flags.insert(.isDefault) }
      if entry.isForced { flags.insert(.forced) }
      if entry.isHearingImpaired { flags.insert(.hearingImpaired) }
      if entry.isVisualImpaired { flags.insert(.visualImpaired) }
      if entry.hasTextDescriptions { flags.insert(.descriptions) }
      if entry.isOriginal { flags.insert(.original) }
      if entry.isCommentary { flags.insert(.comment) }
      note.exactDispositions = flags
      notes[streams[index].index] = note
    }
    return notes
  }

  /// Sizes of the statistics tags, where they are this file's and not left over from another.
  private static func addStatistics(
    to notes: inout [Int: TrackNote], streams: [StreamFacts], header: MatroskaHeader, total: Int64?
  ) {
    let value = { (stream: StreamFacts, key: String) -> String? in
      stream.metadata[key] ?? stream.metadata.first { $0.key.hasPrefix(key + "-") }?.value
    }
    let sizes = streams.map { value($0, "number_of_bytes").flatMap { Int64($0) } }
    let sum = sizes.compactMap { $0 }.reduce(Int64(0)) {
      $0.addingReportingOverflow($1).partialValue
    }
    guard sum > 0, total.map({ sum <= $0 }) ?? true else { return }
    for (stream, bytes) in zip(streams, sizes) {
      guard let bytes, bytes >= 0, notes[stream.index] != nil,
        let app = value(stream, "_statistics_writing_app"), app == header.writingApp
      else { continue }
      notes[stream.index]?.size = SizeEstimate(byteCount: bytes, basis: .exact)
      notes[stream.index]?.duration = value(stream, "duration").flatMap(MatroskaTime.duration)
    }
  }
}

/// Times as statistics tags write them.
enum MatroskaTime {
  /// The duration of `HH:MM:SS.nnnnnnnnn`; `nil` for anything else.
  static func duration(_ text: String) -> Duration? {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      let seconds = Double(parts[2]), (0..<1_000_000).contains(hours),
      (0..<60).contains(minutes), (0..<60.000_001).contains(seconds)
    else { return nil }
    return .seconds(hours * 3600 + minutes * 60) + .seconds(seconds)
  }
}
