import Dispatch
import Foundation
import SiloSystem
import Synchronization

/// Looks into many files at once, on threads of its own.
final class LookCrew: Sendable {
  /// A file, and what the database knows of it.
  typealias Job = (file: FoundFile, known: StoredMedia?)

  /// How many at once: a look waits for the disk as often as it works.
  static let width = min(8, max(2, ProcessInfo.processInfo.activeProcessorCount + 1))

  private struct State {
    var jobs: ArraySlice<Job>
    var looks: [FileLook] = []
    var failure: (any Error)?
  }

  private let folder: MediaFolder
  private let cancel: CancellationFlag
  private let state: Mutex<State>

  private init(_ jobs: ArraySlice<Job>, _ folder: MediaFolder, _ cancel: CancellationFlag) {
    self.folder = folder
    self.cancel = cancel
    state = Mutex(State(jobs: jobs))
  }

  /// Looks into the files of all `jobs` and returns what was found, in no order; blocks until then.
  ///
  /// Throws `CancellationError` once the flag is raised.
  static func looks(
    _ jobs: ArraySlice<Job>, of folder: MediaFolder, unless cancel: CancellationFlag
  ) throws -> [FileLook] {
    let crew = LookCrew(jobs, folder, cancel)
    let others = DispatchGroup()
    for _ in 1..<max(1, min(width, jobs.count)) {
      others.enter()
      do {
        try startThread(named: "look") {
          crew.work()
          others.leave()
        }
      } catch {
        // Fewer do it, too.
        others.leave()
      }
    }
    crew.work()
    others.wait()
    return try crew.state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.looks
    }
  }

  private func work() {
    while let job = state.withLock({ $0.failure == nil ? $0.jobs.popFirst() : nil }) {
      do {
        try cancel.check()
        let look = try FileLook(job.file, of: folder, known: job.known, unless: cancel)
        state.withLock { $0.looks.append(look) }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }
}
