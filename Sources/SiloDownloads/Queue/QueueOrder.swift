/// Which waiting item is next (pure).
struct QueueOrder: Sendable {
  /// What the order needs to know of an item.
  struct Entry: Hashable, Sendable {
    /// Its number: the older one comes first.
    var id: Int64
    /// The host that it is fetched from; `nil` for a local source.
    var host: String?
    /// The path of the file that it becomes; `nil` while nobody knows.
    var target: String?
    /// The moment before which it is left alone, in milliseconds since 1970.
    var notBefore: Int64?
  }

  /// The most items that run at once.
  var limit: Int

  /// The longest pause, in milliseconds.
  static let longestPause = Int64(RetryPlan.longestPause / .milliseconds(1))

  /// What to do now.
  enum Answer: Hashable, Sendable {
    /// Start this one.
    case start(Int64)
    /// Nothing can start before a running item ends, or before this moment in milliseconds since 1970.
    case wait(until: Int64?)
    /// Nothing runs and nothing waits.
    case done
  }

  /// The next step with `running` items at work, of those that are `waiting`.
  ///
  /// Of the items that may start, one of the host with the fewest running items; of those the oldest. Two items that become
  /// one file never run at once.
  func next(waiting: [Entry], running: [Entry], now: Int64) -> Answer {
    if waiting.isEmpty { return running.isEmpty ? .done : .wait(until: nil) }
    guard running.count < max(1, limit) else { return .wait(until: nil) }
    let targets = Set(running.compactMap(\.target))
    var load: [String: Int] = [:]
    for host in running.compactMap(\.host) { load[host, default: 0] += 1 }
    var best: (load: Int, id: Int64)?
    var earliest: Int64?
    for entry in waiting {
      if let target = entry.target, targets.contains(target) { continue }
      // No pause is that long: somebody has put the clock back.
      let isClockBack = (entry.notBefore ?? 0) - now > Self.longestPause
      if let moment = entry.notBefore, moment > now, !isClockBack {
        earliest = min(earliest ?? moment, moment)
        continue
      }
      let candidate = (load: entry.host.map { load[$0, default: 0] } ?? 0, id: entry.id)
      if best.map({ candidate < $0 }) ?? true { best = candidate }
    }
    return best.map { .start($0.id) } ?? .wait(until: earliest)
  }
}
