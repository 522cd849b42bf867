import Foundation
import SiloMedia
import SiloSystem

/// How the work at one item ended.
public enum ItemOutcome: Sendable {
  /// The file is there.
  case finished(FinishedDownload)
  /// It was there before.
  case skipped
  /// It failed, and stays so until somebody wants it tried again.
  case failed(any Error)
  /// It failed for now: it is tried again by this run after the pause.
  case postponed(any Error, Duration)
  /// The user paused, cancelled or removed it meanwhile; `nil` when its row is gone.
  case withdrawn(ItemState?)
}

/// One attempt at one item: takes it, downloads, and writes into its row how that ended.
///
/// Every attempt has a number; whatever it writes is refused when the item has had another one meanwhile.
struct ItemWorker: Sendable {
  let queue: DownloadQueue
  let number: Int64
  /// Whether it is a download of its own, rather than one of a run of the queue: then nothing comes again by itself, and what
  /// is stopped is paused.
  var isForeground = false
  /// Whether nobody wanted the item before: of a failure before anything was decided nothing is kept then.
  var isNew = false
  var waiting = Waiting.system

  private struct Withdrawn: Error {}

  /// Takes the item, if it waits, and carries it out.
  ///
  /// - Returns: `nil` when it could not be taken: somebody else has it, or it does not wait any more.
  func run(
    _ body:
      @escaping @Sendable (
        _ item: QueueItem, _ request: DownloadRequest?,
        _ events: @escaping @Sendable (DownloadEvent) -> Void
      ) async throws -> FinishedDownload?
  ) async throws -> ItemOutcome? {
    guard let lock = try ItemLock.take(number, in: queue.home) else { return nil }
    let taken = try await take()
    guard let (item, wish) = taken else {
      lock.release()
      return nil
    }
    let recorder = ItemRecorder(
      queue.store, number, attempt: item.attempt, takesTitle: wish?.isOfServer != true,
      waiting: waiting)
    let outcome = await carryOut(recorder, item, replaces: wish?.overwrites == true) {
      try await body(item, wish?.request, $0)
    }
    lock.release()
    return outcome
  }

  private func take() async throws -> (QueueItem, ItemWish?)? {
    let (number, isForeground) = (number, isForeground)
    return try await queue.change { connection in
      guard let item = try ItemTable.item(number, in: connection), !item.isDamaged,
        let state = (isForeground ? ItemMove.startNow : .start).state(after: item.state)
      else { return nil }
      let wish = try ItemTable.wish(of: number, in: connection)
      try ItemTable.enter(state, number, keepsFailure: true, in: connection)
      guard let taken = try ItemTable.item(number, in: connection) else { return nil }
      return (taken, wish)
    }
  }

  private func carryOut(
    _ recorder: ItemRecorder, _ item: QueueItem, replaces: Bool,
    _ body:
      @escaping @Sendable (@escaping @Sendable (DownloadEvent) -> Void) async throws ->
      FinishedDownload?
  ) async -> ItemOutcome {
    do {
      let result = try await withThrowingTaskGroup(of: FinishedDownload??.self) { group in
        group.addTask { .some(try await body { recorder.note($0) }) }
        group.addTask {
          try await recorder.untilLost()
          throw Withdrawn()
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      return await succeed(recorder, result ?? nil)
    } catch {
      return await fail(recorder, item, replaces: replaces, error)
    }
  }

  private func succeed(
    _ recorder: ItemRecorder, _ result: FinishedDownload?
  ) async -> ItemOutcome {
    // The file has its name, whatever the row says: when that cannot be written, the next run finds it finished.
    _ = try? await recorder.end(
      ItemTable.Ending(state: .finished, isListed: !isForeground), byteCount: result?.byteCount)
    return result.map(ItemOutcome.finished) ?? .skipped
  }

  private func fail(
    _ recorder: ItemRecorder, _ item: QueueItem, replaces: Bool, _ error: any Error
  ) async -> ItemOutcome {
    await recorder.flush()
    if error is Withdrawn || recorder.isLost {
      return .withdrawn((try? await queue.item("\(number)"))??.state)
    }
    let failure = QueueFailure(error)
    let moved = (try? await queue.item("\(number)"))??.byteCount ?? 0 > item.byteCount
    let count = moved ? 1 : item.failureCount + 1
    var ending = ItemTable.Ending(state: .failed, failure: failure, failureCount: count)
    var outcome = ItemOutcome.failed(error)
    // A budget is the user's word, and no disk gets larger by waiting.
    let isBudget = (error as? MediaError)?.code == .overBudget
    // It waits for its own account.
    let isOther = (error as? DownloadError)?.cause is OtherAccount
    let kind = isBudget ? .permanent : isOther ? .blocked : FailureClass(failure.code)
    switch RetryPlan.verdict(kind, count: count) {
    case .failed: break
    case .nextRun where kind == .interrupted:
      ending.state = isForeground ? .paused : .waiting
      ending.failure = nil
    // Whoever carried it out has the word.
    case _ where isForeground: break
    case .nextRun: ending.state = .waiting
    case .again(let pause):
      ending.state = .waiting
      ending.notBefore = Self.now + Int64(pause / .milliseconds(1))
      outcome = .postponed(error, pause)
    }
    if isNew, !recorder.wasPlaced, kind == .permanent {
      let number = number
      _ = try? await queue.change { try ItemTable.remove(number, in: $0) }
      return outcome
    }
    var byteCount: Int64?
    if !replaces, ending.state == .failed || ending.state == .paused, let file = await keptFile() {
      // Nothing became of this attempt, and what was finished before is as good as it was.
      ending = ItemTable.Ending(state: .finished, isListed: !isForeground)
      byteCount = file.byteCount
    }
    if let isOurs = try? await recorder.end(ending, byteCount: byteCount), !isOurs {
      return .withdrawn((try? await queue.item("\(number)"))??.state)
    }
    return outcome
  }

  /// The file that the item finished before, when it is there as it was and nothing else was begun for the item since.
  private func keptFile() async -> FinishedFile? {
    let number = number
    let found = try? await queue.read { connection in
      (
        try FinishedFileTable.file(of: number, in: connection),
        try UnfinishedFileTable.begun(of: number, in: connection)
      )
    }
    guard let (file, begun) = found ?? nil, let file, file.isStillThere,
      begun.allSatisfy({ ItemFiles.usedByteCount(beside: $0) == 0 })
    else { return nil }
    return file
  }

  /// The time in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
