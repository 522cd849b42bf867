package import SiloMedia
import SiloStore
import SiloSystem
import Synchronization

/// Gives the blocks of spools back while the file is written out of them, no sooner than the disk needs it.
///
/// The journal forgets first, durably: it never vouches for bytes that are gone. Whatever goes wrong here only means that more
/// of the disk is used.
package final class SpoolRelease: Sendable {
  private struct Passed {
    var rendition: Int
    var part: Int
    var range: Range<Int64>
  }

  private struct State: ~Copyable {
    let journal: SpoolJournal
    let spools: [SpoolFile]
    var passed: [Passed] = []
    var passedByteCount: Int64 = 0
    var freedByteCount: Int64 = 0
    var isOver = false
  }

  private let spooled: SpooledRenditions
  private let output: String
  private let step: @Sendable () -> Void
  private let spooledByteCount: Int64
  private let state: Mutex<State>

  /// A release of the spools in `folder` for the file `output`.
  ///
  /// - Parameter step: Called after each time that blocks were given back.
  /// - Throws: `SystemCallError`, `StoreError`: then nothing is given back.
  package init(
    _ spooled: SpooledRenditions, folder: String, output: String,
    step: @escaping @Sendable () -> Void = {}
  ) throws {
    self.spooled = spooled
    self.output = output
    self.step = step
    spooledByteCount = spooled.byteCount
    let spools = try spooled.spools.map { try SpoolFile($0.path) }
    state = Mutex(
      State(
        // Without a sync at each commit, the loss of power could bring back rows whose blocks are gone.
        journal: try .open(
          folder + "/journal.sqlite", boot: SpoolFile.boot(), synchronous: .full),
        spools: spools))
  }

  /// The renditions, which tell here what was read of them.
  package var renditions: [RenditionInput] {
    spooled.spools.enumerated().map { index, input in
      var input = input
      input.passed = { [self] part in pass(part, of: index) }
      return input
    }
  }

  /// A part was read and will not be read again.
  private func pass(_ part: Int, of rendition: Int) {
    guard let range = spooled.spools[rendition].table.known(part) else { return }
    let isFreed = state.withLock { state in
      guard !state.isOver else { return false }
      state.passed.append(Passed(rendition: rendition, part: part, range: range))
      state.passedByteCount += Int64(range.count)
      let surplus = PackagingRule.surplus(
        spooled: spooledByteCount, freed: state.freedByteCount,
        written: FileSystem.allocatedByteCount(of: output))
      // A commit for each segment would cost more than it gives.
      guard surplus > 0, state.passedByteCount >= spooledByteCount / 100 else { return false }
      do {
        return try free(&state)
      } catch {
        state.isOver = true
        return false
      }
    }
    if isFreed { step() }
  }

  /// Frees what was passed; false where the file system cannot.
  private func free(_ state: inout State) throws -> Bool {
    let passed = state.passed
    let parts = passed.map { (spooled.ids[$0.rendition], $0.part) }
    try state.journal.markFreed(parts)
    for (rendition, spool) in state.spools.enumerated() {
      for range in Self.joined(passed.filter { $0.rendition == rendition }.map(\.range)) {
        guard try spool.descriptor.punchHole(range) else {
          // Its bytes are all there still.
          try state.journal.markPresent(parts)
          state.isOver = true
          return false
        }
      }
    }
    state.freedByteCount += state.passedByteCount
    (state.passed, state.passedByteCount) = ([], 0)
    return true
  }

  /// Neighbours as one range, so that the blocks that they share go too.
  static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      if let last = joined.last, last.upperBound == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<range.upperBound
      } else {
        joined.append(range)
      }
    }
  }
}
