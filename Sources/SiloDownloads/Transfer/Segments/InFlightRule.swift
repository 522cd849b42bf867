import SiloSystem

/// How many requests for segments may be on their way at once (pure).
///
/// All requests share one link. Too many, and on a slow link none is whole when the download is broken off; too few, and on a
/// long link most of the time is spent waiting. So: as many as keep one segment under way for no more than three seconds. What
/// the look at the first segments took tells where to begin.
struct InFlightRule: Sendable {
  /// The requests before anything is known.
  static let first = 8
  /// The fewest, so that one is always waiting when another ends.
  static let fewest = 2
  /// The longest that one segment should be under way, in seconds.
  static let longest = 3.0

  /// What is known of one rendition's segments.
  private struct Sizes {
    var requestCount: Int
    var fetchedCount = 0
    var byteCount: Int64 = 0
  }

  /// The most requests, however fast they are answered.
  let most: Int
  private let start: Int
  private var renditions: [Sizes]
  private var fetchedCount = 0
  private var byteCount: Int64 = 0
  private var window = RateWindow()

  /// A rule for renditions that need so many requests each, none of them sent before `start`.
  ///
  /// - Parameter look: How long the slowest first segment was under way, alone or with those of other renditions.
  init(most: Int, requestCounts: [Int], start: Duration, look: Duration? = nil) {
    self.most = max(1, most)
    let fitting = look.map { Self.longest / max(0.001, $0.seconds) } ?? 0
    self.start = min(max(Self.first, Int(fitting)), self.most)
    renditions = requestCounts.map { Sizes(requestCount: $0) }
    window.add(0, at: start)
  }

  /// Notes that a request for segments of `rendition` brought `byteCount` bytes.
  mutating func take(_ byteCount: Int64, of rendition: Int, at time: Duration) {
    renditions[rendition].fetchedCount += 1
    renditions[rendition].byteCount += byteCount
    fetchedCount += 1
    self.byteCount += byteCount
    window.add(self.byteCount, at: time)
  }

  /// The most requests that may be on their way now.
  var count: Int {
    // The small ones are answered first: they say nothing about those that are still on their way.
    guard let size = typicalByteCount, size > 0, let rate = window.perSecond else { return start }
    // One more for each answer: a burst at the start doubles them at most.
    let reached = min(most, start + fetchedCount)
    let fitting = (Self.longest * rate / size).rounded(.down)
    return max(min(Self.fewest, most), fitting < Double(reached) ? Int(fitting) : reached)
  }

  /// The mean of all requests, those to come included; `nil` until each rendition has shown its size.
  private var typicalByteCount: Double? {
    var (sum, count) = (0.0, 0)
    for sizes in renditions where sizes.requestCount > 0 {
      guard sizes.fetchedCount > 0 else { return nil }
      sum += Double(sizes.byteCount) / Double(sizes.fetchedCount) * Double(sizes.requestCount)
      count += sizes.requestCount
    }
    return count > 0 ? sum / Double(count) : nil
  }
}
