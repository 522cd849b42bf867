import SiloSystem

/// One look into one source.
struct MediaProbe {
  let source: MediaSource
  let cancel: CancellationFlag
  let cache: RangeCache
  /// Whether reading costs nothing to speak of.
  let readsFreely: Bool
  let options: ProbeOptions

  init(_ source: MediaSource, options: ProbeOptions, cancel: CancellationFlag) {
    self.source = source
    self.cancel = cancel
    self.options = options
    let isLocal = source.bytes is FileByteSource || source.bytes is MemoryByteSource
    readsFreely = options.readsFreely ?? isLocal
    cache = RangeCache(source.bytes, byteBudget: readsFreely ? .max : options.byteBudget)
  }

  /// What is inside.
  func inventory() throws -> MediaInventory {
    do {
      let head = try cache.fetch(0..<MediaSource.openingByteCount)
      guard !head.isEmpty else {
        throw MediaError(
          .unsupported, "The file is empty. Fetch it again, or ask for another address.",
          subject: source.name)
      }
      switch ContainerSniff(head.prefix(4096)) {
      case .mp4: return try mp4()
      case .matroska: return try matroska()
      case .other: return try other()
      case .notMedia(let name):
        throw MediaError(
          .unsupported,
          "This is no media but \(name). Check the address; a page or an error text may stand in its place.",
          subject: source.name)
      }
    } catch let error as LibavError {
      throw error.mediaError(subject: source.name)
    } catch let error as MediaError where error.subject == nil {
      throw MediaError(error.code, error.message, subject: source.name, cause: error.cause)
    }
  }

  /// Opens headers in memory, which libav reads without the media behind them.
  func opened(_ headers: [UInt8], options: InputOptions) throws -> InputContext {
    try InputContext.open(
      MediaSource(name: source.name, bytes: headers), options: options, cancel: cancel)
  }

  /// The size of the whole source.
  var size: SizeEstimate {
    SizeEstimate(byteCount: source.bytes.byteCount, basis: .exact)
  }

  /// Chapters with the ends that their successors and the duration give them.
  static func ended(_ chapters: [Chapter], _ duration: Duration?) -> [Chapter] {
    var sorted = chapters.sorted { $0.start < $1.start }
    for index in sorted.indices where sorted[index].end == nil {
      sorted[index].end = index + 1 < sorted.count ? sorted[index + 1].start : duration
    }
    return sorted
  }
}
