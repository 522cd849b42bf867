/// Where an item of the queue stands, from the first wish to the finished file.
public enum ItemState: String, Sendable, Hashable, Codable, CaseIterable {
  /// It will be taken when its turn comes.
  case waiting
  /// A worker has it and looks into the source.
  case preparing
  /// Bytes are arriving.
  case transferring
  /// Length, digest and structure are being checked.
  case verifying
  /// The chosen tracks are being written into one file.
  case packaging
  /// Stopped until somebody resumes it; what arrived is kept.
  case paused
  /// The file has its name.
  case finished
  /// It failed; the next run takes it up again when that may help, and else only `retry`.
  case failed
  /// Given up by the user; what arrived was removed.
  case cancelled

  /// Whether a worker has it.
  public var isRunning: Bool {
    switch self {
    case .preparing, .transferring, .verifying, .packaging: true
    case .waiting, .paused, .finished, .failed, .cancelled: false
    }
  }

  /// The state that a phase of a download is; `nil` for those that say how it ended, or that it waits for room.
  init?(_ phase: DownloadPhase) {
    switch phase {
    case .transferring: self = .transferring
    case .verifying: self = .verifying
    case .packaging: self = .packaging
    case .preparing, .waiting, .finished, .paused, .failed: return nil
    }
  }
}

/// What can happen to an item.
public enum ItemMove: String, Sendable, Hashable, CaseIterable {
  /// A worker takes it.
  case start
  /// Whoever paused it takes it himself: a download in the foreground.
  case startNow
  /// Its worker goes on to the next step.
  case advance
  /// Its worker has finished the file.
  case finish
  /// Its worker failed for good.
  case fail
  /// Its worker failed, or was stopped, and it will be tried again by itself.
  case postpone
  /// The user stops it for a while.
  case pause
  /// The user lets it go on.
  case resume
  /// The user gives it up.
  case cancel
  /// The user wants it tried again.
  case retry
  /// A run of the queue begins, and what it failed of may be over.
  case takeUp
  /// The user adds what is in the queue already.
  case addAgain

  /// The states in which it may happen, and the state that follows; `nil` keeps a state that is named with it.
  private var rule: (from: Set<ItemState>, to: ItemState?) {
    switch self {
    case .start: ([.waiting], .preparing)
    case .startNow: ([.waiting, .paused], .preparing)
    case .advance: (Self.running, nil)
    case .finish: (Self.running, .finished)
    case .fail: (Self.running, .failed)
    case .postpone: (Self.running, .waiting)
    case .pause: (Self.running.union([.waiting]), .paused)
    case .resume: ([.paused], .waiting)
    case .cancel: (Self.running.union([.waiting, .paused, .failed]), .cancelled)
    case .retry: ([.failed, .cancelled], .waiting)
    case .takeUp: ([.failed], .waiting)
    case .addAgain: ([.finished, .failed, .cancelled], .waiting)
    }
  }

  private static let running = Set(ItemState.allCases.filter(\.isRunning))

  /// The state of an item that was in `state`; `nil` when this cannot happen to it then.
  ///
  /// `advance` leads to the step that the worker names, so here to the same one.
  public func state(after state: ItemState) -> ItemState? {
    let rule = rule
    return rule.from.contains(state) ? rule.to ?? state : nil
  }

  /// The state that an item is in when this has happened already; asking for it again is no mistake.
  var goal: ItemState? { rule.to }
}
