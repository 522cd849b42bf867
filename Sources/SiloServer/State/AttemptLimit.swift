/// How often something may be tried in vain, by name; a pure value.
struct AttemptLimit: Sendable {
  /// How many failures within the window are enough.
  let most: Int
  /// How long a failure counts, in seconds.
  let windowSeconds: Int64
  /// How many names are remembered: they come from outside.
  let mostNames: Int
  private var failures: [String: [Int64]] = [:]

  init(most: Int, windowSeconds: Int64, mostNames: Int = 4096) {
    self.most = most
    self.windowSeconds = windowSeconds
    self.mostNames = mostNames
  }

  /// The seconds to wait before `name` may be tried again; `nil` when it may be tried now.
  func wait(for name: String, at now: Int64) -> Int64? {
    let recent = (failures[name] ?? []).filter { $0 > now - windowSeconds }
    guard recent.count >= most, let oldest = recent.min() else { return nil }
    return oldest + windowSeconds - now
  }

  /// Counts an attempt before its outcome is known: many at once must not all slip through.
  mutating func begin(_ name: String, at now: Int64) {
    failures[name] = (failures[name] ?? []).filter { $0 > now - windowSeconds } + [now]
    guard failures.count > mostNames else { return }
    failures = failures.filter { $0.value.contains { $0 > now - windowSeconds } }
    // Still too many: somebody makes names up. Whoever was first is forgotten first.
    let excess = failures.count - mostNames
    guard excess > 0 else { return }
    for entry in failures.sorted(by: { ($0.value.max() ?? 0) < ($1.value.max() ?? 0) }).prefix(
      max(excess, mostNames / 8))
    {
      failures[entry.key] = nil
    }
  }

  /// Takes the attempt that was begun last at `name` for none; those before it still count.
  mutating func takeBack(_ name: String) {
    guard var moments = failures[name], moments.popLast() != nil else { return }
    failures[name] = moments.isEmpty ? nil : moments
  }

  /// Forgets the failures of `name`, which succeeded.
  mutating func succeed(_ name: String) { failures[name] = nil }
}
