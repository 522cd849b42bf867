import SiloSystem

/// Writes a plan into a file on the thread of the caller.
struct PackageWriter {
  private let plan: PackagePlan
  private let path: String
  private let cancel: CancellationFlag
  private let progress: @Sendable (PackageProgress) -> Void
  private let warning: @Sendable (String) -> Void
  private let readers: [Int: SpoolReader]
  private let layout: PackageLayout
  /// The most room that is left before the media for the index of an MP4 file.
  var indexRoomLimit = 64 << 20

  /// How many bytes go by between two reports.
  private static let reportByteCount: Int64 = 1 << 20
  /// Segments and recordings overlap by some packets; more nanoseconds are a stretch that comes twice.
  private static let mostLag: Int64 = 500_000_000

  init(
    _ plan: PackagePlan, path: String, cancel: CancellationFlag,
    progress: @escaping @Sendable (PackageProgress) -> Void,
    warning: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.warning = warning
    self.plan = plan
    self.path = path
    self.cancel = cancel
    self.progress = progress
    readers = try SpoolReader.readers(of: plan)
    layout = try PackageLayout(plan, readers)
  }

  /// Writes, syncs and closes the file, and tells what was seen meanwhile.
  ///
  /// - Parameter written: Called when every byte is in the file, before it is durable.
  func write(_ written: () -> Void = {}) throws -> WrittenFacts {
    try checkPlan()
    let feeds = try feeds()
    let output = try OutputContext.open(path, container: plan.container, cancel: cancel)
    let room = plan.container == .mp4 ? indexRoom(feeds) : 0
    var facts = WrittenFacts()
    try describe(output, feeds, indexRoom: room, &facts)
    try copy(feeds, to: output, &facts)
    tellLosses(of: feeds)
    try confirmLayout(indexRoom: room, feeds)
    switch plan.container {
    case .mp4:
      let edit = MovieBoxEdit(tracks: plan.tracks.map { MovieBoxEdit.Track($0) })
      try output.finish(room: room, edit: edit, written: written)
    case .mkv:
      var rooms: [Int: MatroskaNameRoom] = [:]
      for (index, track) in plan.tracks.enumerated() {
        rooms[index] = MatroskaNameRoom(track, container: .mkv)
      }
      try output.finish(rooms: rooms, written: written)
    }
    return facts
  }

  private func tellLosses(of feeds: [any PackageFeed]) {
    let losses = feeds.reduce(into: [:]) { $0.merge($1.textLosses) { one, _ in one } }
    for (index, track) in plan.tracks.enumerated() {
      if let sentence = plan.container.sentence(losing: losses[index] ?? [], of: track.id) {
        warning(sentence)
      }
    }
  }

  /// The bytes to leave before the media for the index.
  private func indexRoom(_ feeds: [any PackageFeed]) -> Int {
    var tracks: [MovieIndexRoom.Track] = []
    var bytes: Int64 = 0
    for feed in feeds {
      for track in feed.tracks {
        let (packets, size) = feed.expected(of: track)
        tracks.append(.init(kind: plan.tracks[track].id.kind, expected: packets))
        if track == feed.tracks.first { bytes &+= size }
      }
    }
    let texts = plan.chapters.map(\.title) + plan.tracks.map(\.title) + [plan.title]
    let others = texts.reduce(0) { $0 + 2 * ($1?.utf8.count ?? 0) + 64 }
    return min(
      indexRoomLimit,
      MovieIndexRoom.byteCount(for: tracks, mediaByteCount: bytes, otherByteCount: others))
  }

  /// Throws when what arrived meanwhile is laid out otherwise than it was taken to be.
  private func confirmLayout(indexRoom room: Int, _ feeds: [any PackageFeed]) throws {
    if layout.isWhole { return }
    let whole = try PackageLayout(plan, readers)
    guard whole.agrees(with: layout), plan.container != .mp4 || room == indexRoom(feeds) else {
      throw MediaError(
        .internal, "What arrived is laid out otherwise than the playlists say.", subject: path)
    }
  }

  private func checkPlan() throws {
    guard !plan.tracks.isEmpty else {
      throw MediaError(.usage, "There is no track to write.", subject: path)
    }
    let defaults = plan.tracks.filter { $0.id.kind == .audio && $0.isDefault }.count
    let hasAudio = plan.tracks.contains { $0.id.kind == .audio }
    guard defaults == (hasAudio ? 1 : 0) else {
      throw MediaError(.usage, "Exactly one audio track has to be the default.", subject: path)
    }
    for track in plan.tracks where !plan.inputs.indices.contains(track.input) {
      throw MediaError(.usage, "The track \(track.id) has no input.", subject: path)
    }
  }

  private func feeds() throws -> [any PackageFeed] {
    var wanted: [Int: [Int: PackageTrack]] = [:]
    for (index, track) in plan.tracks.enumerated() {
      wanted[track.input, default: [:]][index] = track
    }
    // Pictures first: they set the clock of a run.
    let order = wanted.keys.sorted { a, b in
      (wanted[a]?.keys.min() ?? 0) < (wanted[b]?.keys.min() ?? 0)
    }
    return try order.compactMap { input -> (any PackageFeed)? in
      guard let tracks = wanted[input] else { return nil }
      if case .file(let source) = plan.inputs[input] {
        return try FileFeed(
          source, wanted: tracks, container: plan.container, cancel: cancel, warning: warning)
      }
      guard let reader = readers[input] else { return nil }
      if reader.input.form == .webVTT {
        guard tracks.count == 1, let track = tracks.keys.first else {
          throw MediaError(.usage, "A subtitle rendition has one track.", subject: path)
        }
        return try WebVTTFeed(reader, track: track, runs: layout.runs, container: plan.container)
      }
      return try RenditionFeed(
        reader, layout.stretches[input] ?? [], wanted: tracks, container: plan.container,
        cancel: cancel, warning: warning)
    }
  }

  private func describe(
    _ output: borrowing OutputContext, _ feeds: [any PackageFeed], indexRoom: Int,
    _ facts: inout WrittenFacts
  ) throws {
    for (index, track) in plan.tracks.enumerated() {
      guard let feed = feeds.first(where: { $0.tracks.contains(index) }) else { continue }
      var stream = OutputStream(track, container: plan.container)
      if let media = feed as? any MediaFeed {
        stream.textCodec =
          track.id.kind == .subtitle
          ? TextConversion(from: media.part.facts(of: index)?.codec, to: plan.container)?.target
          : nil
        try media.part.addStream(of: index, to: output, as: stream)
        facts.tracks[index] = .init(media.part.facts(of: index), text: stream.textCodec)
      } else {
        let text: OutputStream.TextCodec = plan.container == .mp4 ? .movText : .subRip
        try output.addTextStream(text, as: stream)
        facts.tracks[index] = .init(nil, text: text)
      }
    }
    if let title = plan.title { output.setMetadata("title", title) }
    for (index, chapter) in plan.chapters.enumerated() {
      let next = plan.chapters.dropFirst(index + 1).first?.start
      let end = chapter.end ?? next ?? chapter.start + .milliseconds(1)
      try output.addChapter(
        start: chapter.start.nanoseconds / 1000, end: end.nanoseconds / 1000, title: chapter.title)
    }
    var options = plan.container.muxerOptions
    if plan.container == .mp4 { options["moov_size"] = String(indexRoom) }
    try output.writeHeader(options: options)
  }

  private func copy(
    _ feeds: [any PackageFeed], to output: borrowing OutputContext, _ facts: inout WrittenFacts
  )
    throws
  {
    var timeline = Timeline()
    // Matroska writes no decode times; pictures keep theirs apart all the same, since each is one moment.
    var repairs = plan.tracks.map {
      TimestampRepair(allowsEqual: plan.container == .mkv && $0.id.kind != .video)
    }
    let timeBases = plan.tracks.indices.map { output.timeBase(of: $0) }
    let delays = plan.tracks.indices.map { output.codecDelay(of: $0) }
    var reported: Int64 = 0
    for run in layout.runs.runs.indices {
      var clock = RunClock()
      for feed in feeds { try feed.beginRun(run, clock: &clock) }
      let start = start(of: feeds, run)
      timeline.beginRun(start, earliestOrigin: earliestOrigin(of: start))
      for feed in feeds { try feed.map(timeline, clock: clock) }
      while let (feed, held) = try next(of: feeds) {
        try cancel.check()
        feed.drop()
        let time = timeline.time(ofRaw: held.presentation)
        let kind = plan.tracks[held.track].id.kind
        facts.note(
          end: time &+ held.duration, duration: held.duration, isText: kind == .subtitle)
        if kind != .subtitle { timeline.note(end: time &+ held.duration, isVideo: kind == .video) }
        let lag = held.move(
          by: timeline.shift &+ delays[held.track], to: timeBases[held.track],
          &repairs[held.track])
        try require(lag, of: held.track, at: time)
        try output.write(held.packet)
        if output.byteCount - reported >= Self.reportByteCount {
          reported = output.byteCount
          progress(PackageProgress(time: .nanoseconds(max(0, time)), byteCount: reported))
        }
      }
    }
  }

  /// Refuses a track that plays a stretch twice on one clock: in order, its packets would all fall on one moment.
  private func require(_ lag: Int64, of track: Int, at time: Int64) throws {
    guard lag > Self.mostLag, plan.tracks[track].id.kind != .subtitle else { return }
    throw MediaError(
      .corrupt,
      "The times of \(plan.tracks[track].id) go back by \(Self.seconds(lag)) s at \(Self.seconds(time)) s, which no player can follow.",
      subject: path)
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let tenths = max(0, nanoseconds) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// How early a file may begin.
  ///
  /// Whole files may begin a little before 0 with sound that is not to be heard (the priming of a coder), which an edit
  /// list hides and Matroska cannot say. Anything else before 0 is content on a clock that wrapped or was cut.
  private func earliestOrigin(of start: Timeline.RunStart) -> Int64 {
    let isFile = plan.inputs.contains { if case .file = $0 { true } else { false } }
    let isPriming = (start.video ?? 0) >= 0 && (start.other ?? 0) > -200_000_000
    return isFile && plan.container == .mp4 && isPriming ? 0 : .min
  }

  private func start(of feeds: [any PackageFeed], _ run: Int) -> Timeline.RunStart {
    var start = Timeline.RunStart(planned: layout.runs.runs[run].start.nanoseconds)
    for feed in feeds {
      let own = feed.runStart()
      start.video = [start.video, own.video].compactMap { $0 }.min()
      start.other = [start.other, own.other].compactMap { $0 }.min()
    }
    return start
  }

  private func next(of feeds: [any PackageFeed]) throws -> (any PackageFeed, HeldPacket)? {
    var found: (any PackageFeed, HeldPacket)?
    for feed in feeds {
      guard let held = try feed.peek() else { continue }
      if let best = found, best.1.decode <= held.decode { continue }
      found = (feed, held)
    }
    return found
  }
}
