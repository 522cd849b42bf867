import SiloContract
import SiloSystem

import struct Foundation.URL

/// What is noted of the row of one item: before its transfer, and whenever the server was told something.
///
/// A state that cannot be written costs the note, not the download.
struct RowNotes: Sendable {
  let store: StateStore
  /// The item; `nil` when it has none, and then nothing is noted.
  let item: Int64?

  /// What a run before noted, of the account of `session`; `nil` when there was none.
  func before(_ session: SiloSession) async -> ManagedItem? {
    guard let item else { return nil }
    let found = try? await store.read { try ManagedItemTable.managed(item, in: $0) }
    return (found ?? nil).flatMap { $0?.owner == session.account.owner ? $0 : nil }
  }

  /// Notes that `download` is what is fetched now.
  func note(_ download: ManagedDownload) async {
    guard let managed = download.managed(item) else { return }
    try? await store.write { try ManagedItemTable.store(managed, in: $0) }
  }

  /// Notes what the catalog calls the item, for the list of the queue until it has a file.
  func called(_ title: String) async {
    guard let item else { return }
    try? await store.write { try KnownTitleTable.name(item, title, in: $0) }
  }

  /// Notes what the server was told.
  func told(_ status: DownloadStatus, _ download: ManagedDownload) async {
    guard let managed = download.managed(item) else { return }
    try? await store.write { try ManagedItemTable.tell(status.rawValue, managed, in: $0) }
  }

  /// The finished file of `managed`, when it still is as it was finished.
  func finished(_ managed: ManagedItem) async -> URL? {
    let found = try? await store.read { connection -> FinishedFile? in
      guard let path = try ItemTable.item(managed.item, in: connection)?.path else { return nil }
      return try FinishedFileTable.file(at: path, in: connection)
    }
    guard let file = (found ?? nil) ?? nil, file.source == managed.name,
      let facts = FileFacts(file.path), facts.byteCount == file.byteCount,
      facts.modified == file.modified
    else { return nil }
    return URL(filePath: file.path)
  }

  /// Whether the user hears `remark` of a row for the first time.
  func isFirst(_ remark: String, _ managed: ManagedItem) async -> Bool {
    guard managed.remark != remark else { return false }
    try? await store.write { try ManagedItemTable.remark(remark, managed, in: $0) }
    return true
  }
}
