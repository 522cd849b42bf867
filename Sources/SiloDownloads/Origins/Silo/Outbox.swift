import SiloContract
import SiloSystem

/// What a server is still to be told: which rows it may forget, and which files are here.
///
/// Sent by whatever command reaches the server with the same account; what cannot be sent now waits for the next one.
package struct Outbox: Sendable {
  private let store: StateStore

  /// The outbox of the user's state.
  package init() { self.init(store: StateStore()) }

  init(store: StateStore) { self.store = store }

  /// How many rows of `account` wait to be forgotten by its server; 0 when that cannot be read.
  package func count(of account: SiloAccount) async -> Int {
    guard let owner = account.owner else { return 0 }
    let entries = try? await store.read { try OutboxTable.entries(of: owner, in: $0) }
    return (entries ?? nil)?.count ?? 0
  }

  /// Sends what waits for the account of `session`, in order, and stops at the first call that fails.
  ///
  /// One attempt each, so that a server that is not there costs little. Never throws: nothing depends on it.
  ///
  /// - Parameter warn: Told what the user should know.
  func send(_ session: SiloSession, warn: (String) -> Void = { _ in }) async {
    guard let owner = session.account.owner else { return }
    let found = try? await store.read { connection in
      (
        try OutboxTable.entries(of: owner, in: connection),
        try ManagedItemTable.untold(of: owner, in: connection)
      )
    }
    guard let (entries, untold) = found ?? nil, !(entries.isEmpty && untold.isEmpty) else { return }
    for entry in entries {
      guard let id = DownloadID(entry.download),
        await tell("DELETE", id, nil, session, device: entry.device) != .failed
      else { return }
      guard (try? await store.write { try OutboxTable.remove(entry, in: $0) }) != nil else {
        return
      }
    }
    for (managed, file) in untold {
      // Recorded before it had its name, perhaps.
      guard let facts = FileFacts(file.path), facts.byteCount == file.byteCount,
        facts.modified == file.modified, let id = DownloadID(managed.download)
      else { continue }
      let answer = await tell("PATCH", id, .completed, session, device: managed.device)
      guard answer != .failed else { return }
      if answer == .gone {
        warn(
          "\(Redaction.printable(file.path)): the server has no row of it any more; the file stays."
        )
      }
      _ = try? await store.write { try ManagedItemTable.tell("completed", managed, in: $0) }
    }
  }

  private enum Answer {
    case done, gone, failed
  }

  private func tell(
    _ method: String, _ id: DownloadID, _ status: DownloadStatus?, _ session: SiloSession,
    device: String
  ) async -> Answer {
    do {
      let calls = try session.brief(device: device).calls
      try await calls.tell(method, "downloads/\(id)", sending: status.map(StatusPatch.init))
      return .done
    } catch let error as DownloadError where error.siloCode == .notFound {
      return .gone
    } catch {
      return .failed
    }
  }
}
