import SiloMedia
import SiloSystem

/// The HLS presentations that were asked for lately, with their newest segments.
///
/// A presentation belongs to one version of a file: when the file changes it is made anew. Work that two requests need is
/// done once, and only so much at a time.
actor Presentations {
  /// What a piece of a presentation is.
  struct Piece: Hashable, Sendable {
    var identity: FileIdentity
    var track: TrackID
    /// The number of the segment, or `nil` for the init section.
    var number: Int?
  }

  /// The most presentations and bytes of segments that are kept.
  private static let presentationLimit = 8
  private static let byteLimit = 64 << 20
  /// The most reads of files at a time: two cores and a disk do not go faster with more.
  private static let workerLimit = 6

  private var opened: [FileIdentity: Task<HLSSegmenter, any Error>] = [:]
  private var openedOrder: [FileIdentity] = []
  private var pieces: [Piece: Task<[UInt8], any Error>] = [:]
  private var finished: [(piece: Piece, byteCount: Int)] = []
  private var byteCount = 0
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The presentation of `file`; the first request takes as long as reading the file.
  func presentation(of file: OpenFile, name: String) async throws -> HLSSegmenter {
    let identity = file.identity
    openedOrder.removeAll { $0 == identity }
    openedOrder.append(identity)
    while openedOrder.count > Self.presentationLimit {
      opened[openedOrder.removeFirst()] = nil
    }
    if let task = opened[identity] { return try await task.value }
    let task = Task {
      try await self.inTurn {
        try await HLSSegmenter.open(
          MediaSource(name: name, bytes: DescriptorSource(file)))
      }
    }
    opened[identity] = task
    do {
      return try await task.value
    } catch {
      opened[identity] = nil
      throw error
    }
  }

  /// A segment or init section; made once, and kept while there is room.
  func bytes(
    of piece: Piece, from make: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    if let task = pieces[piece] { return try await task.value }
    let task = Task { try await self.inTurn(make) }
    pieces[piece] = task
    do {
      let bytes = try await task.value
      keep(piece, bytes.count)
      return bytes
    } catch {
      pieces[piece] = nil
      throw error
    }
  }

  /// Forgets everything that is not being made.
  func forget() {
    for (piece, _) in finished { pieces[piece] = nil }
    finished = []
    byteCount = 0
    opened = [:]
    openedOrder = []
  }

  private func keep(_ piece: Piece, _ count: Int) {
    finished.append((piece, count))
    byteCount += count
    while byteCount > Self.byteLimit, finished.count > 1 {
      let oldest = finished.removeFirst()
      pieces[oldest.piece] = nil
      byteCount -= oldest.byteCount
    }
  }

  private func inTurn<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    if running >= Self.workerLimit {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      running += 1
    }
    defer {
      if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
    return try await work()
  }
}
