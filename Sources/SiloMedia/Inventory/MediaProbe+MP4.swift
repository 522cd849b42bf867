import SiloSystem

extension MediaProbe {
  /// Looks into ISO base media.
  func mp4() throws -> MediaInventory {
    let layout = try MP4Layout(cache, bytes: source.bytes, readsAll: readsFreely, cancel: cancel)
    if let system = layout.index.encryption {
      throw MediaError(
        .encrypted,
        "The media is encrypted (\(system)) and its keys are not to be had. Choose another source of it.",
        subject: source.name)
    }
    let input = try opened(
      layout.headers,
      options: InputOptions(
        format: "mov", readsStreamInfo: false, options: ["ignore_chapters": "1"]))
    let streams = input.streams.map(Self.withoutTemplates)
    let duration = duration(of: layout, libav: input.duration)
    let notes = notes(for: streams, layout: layout, duration: duration)
    var listing = MediaInventory(kind: .file, container: layout.container)
    let tracks = TrackListing(streams, notes: notes)
    (listing.video, listing.audio, listing.subtitles) =
      (tracks.video, tracks.audio, tracks.subtitles)
    listing.duration = duration
    listing.size = size
    listing.title = input.metadata["title"].flatMap { $0.isEmpty ? nil : $0 }
    listing.chapters = Self.ended(try chapters(of: layout), duration)
    return listing
  }

  /// Leaves out what a sample entry says of MPEG audio whatever is in it: its channel count is a template, always 2
  /// (ISO/IEC 14496-12, 12.2.3), and nothing else in the index tells.
  private static func withoutTemplates(_ stream: StreamFacts) -> StreamFacts {
    var stream = stream
    if stream.codec == "mp3", stream.sound?.channels == 2 {
      stream.sound?.channels = nil
      stream.sound?.layout = nil
    }
    return stream
  }

  private func duration(of layout: MP4Layout, libav: Duration?) -> Duration? {
    guard layout.index.isFragmented else { return libav }
    let longest = layout.index.tracks.compactMap(\.duration).max()
    let declared = layout.index.fragmentDuration ?? layout.end ?? libav
    return layout.hasAllFragments ? longest ?? declared : declared
  }

  private func notes(for streams: [StreamFacts], layout: MP4Layout, duration: Duration?)
    -> [Int: TrackNote]
  {
    let index = layout.index
    let isWhole = !index.isFragmented || layout.hasAllFragments
    let hidden = index.chapterTracks
    var notes: [Int: TrackNote] = [:]
    for stream in streams {
      guard let track = index.tracks.first(where: { Int($0.id) == stream.containerID })
      else { continue }
      var note = TrackNote()
      note.title = track.title
      note.storedLanguage = track.extendedLanguage
      note.isHidden = hidden.contains(track.id)
      note.duration = track.duration
      note.declaredBitsPerSecond = track.declaredBitsPerSecond
      note.frameRate = track.samplesPerSecond
      note.dispositions = track.dispositions
      if isWhole {
        note.size = SizeEstimate(byteCount: track.byteCount, basis: .exact)
      } else if let duration, let seconds = track.duration?.seconds, seconds > 0 {
        // Fragments that came with the head stand for the rest.
        let bytes = Double(track.byteCount) * duration.seconds / seconds
        note.size = SizeEstimate(byteCount: Int64(exactly: bytes.rounded()), basis: .declared)
      }
      notes[stream.index] = note
    }
    return isWhole ? notes : SizeShare.filled(notes, streams: streams, total: size.byteCount)
  }

  /// Chapters of the list in the index, else of the chapter track when reading costs nothing.
  private func chapters(of layout: MP4Layout) throws -> [Chapter] {
    if let list = layout.index.chapterList, !list.isEmpty { return list }
    guard readsFreely, !layout.index.chapterTracks.isEmpty else { return [] }
    return try InputContext.open(
      source, options: InputOptions(format: "mov", readsStreamInfo: false), cancel: cancel
    ).chapters
  }
}

extension MP4Track {
  /// What characteristics of Apple's kind say that a track is for.
  var dispositions: Dispositions {
    var found: Dispositions = []
    for name in characteristics {
      switch name {
      case "public.accessibility.describes-video": found.insert(.descriptions)
      case "public.accessibility.transcribes-spoken-dialog",
        "public.accessibility.describes-music-and-sound":
        found.insert(.hearingImpaired)
      case "public.subtitles.forced-only": found.insert(.forced)
      default: break
      }
    }
    return found
  }
}
