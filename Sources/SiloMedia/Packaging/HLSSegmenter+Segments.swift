import SiloSystem

extension HLSSegmenter {
  /// The track of that name, or `nil`.
  public func track(_ id: TrackID) -> HLSTrack? { tracks.first { $0.id == id } }

  /// The segments of a track; empty when there is no such track.
  public func segments(of id: TrackID) -> [SegmentPlan.Segment] { segmentTable[id] ?? [] }

  /// The init section (EXT-X-MAP) of a video or audio track; reads a few packets on a thread of its own.
  public func initSection(of id: TrackID) async throws -> [UInt8] {
    let track = try timedTrack(id)
    return try await onOwnThread(named: "hls-init") { cancel in
      try self.told { try self.initSection(of: track, cancel: cancel) }
    }
  }

  /// Segment `number` of a video or audio track, as one fragment; reads its packets on a thread of its own.
  ///
  /// Throws `MediaError.notFound` when the track has no such segment.
  public func segment(_ number: Int, of id: TrackID) async throws -> [UInt8] {
    let track = try timedTrack(id)
    guard let segment = segments(of: id).first(where: { $0.number == number }) else {
      throw MediaError(.notFound, "This track has no segment \(number).")
    }
    return try await onOwnThread(named: "hls-segment") { cancel in
      try self.told {
        let bytes = try self.reader(of: track).fragment(
          number, packets: segment.packets, cancel: cancel)
        return FragmentBoxes.media(of: bytes)
      }
    }
  }

  func initSection(of track: HLSTrack, cancel: CancellationFlag) throws -> [UInt8] {
    let bytes = try reader(of: track).fragment(0, packets: 0..<1, cancel: cancel)
    return FragmentBoxes.initSection(of: bytes)
  }

  private func reader(of track: HLSTrack) throws -> FragmentReader {
    guard let index = indexes[track.id] else {
      throw MediaError(.notFound, "There is no track \(track.id) in this presentation.")
    }
    let video = tracks.first { $0.id.kind == .video }
    return FragmentReader(
      source: source, stream: track.stream, seekStream: video?.stream ?? track.stream,
      index: index, shift: shift)
  }

  private func timedTrack(_ id: TrackID) throws -> HLSTrack {
    guard id.kind != .subtitle, let track = track(id) else {
      throw MediaError(.notFound, "There is no track \(id) in this presentation.")
    }
    return track
  }

  private func told<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as LibavError {
      throw error.mediaError(subject: source.name)
    }
  }
}
