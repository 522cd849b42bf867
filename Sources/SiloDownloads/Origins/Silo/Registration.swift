import SiloContract

/// Registers one item at its server, and waits until its file can be fetched.
struct Registration: Sendable {
  let target: SiloTarget
  let session: SiloSession
  /// How often a file that is still being made is asked for.
  let pollPause: Duration
  let waiting: Waiting
  let events: @Sendable (DownloadEvent) -> Void

  /// The row, registered anew or found as it was, when its file can be fetched.
  ///
  /// - Throws: `DownloadError`: by `SiloRefusal`; `unavailable` when the server cannot make the file.
  func register() async throws -> DownloadRow {
    try await ready(
      try await session.calls.call("POST", "downloads", sending: target.request))
  }

  /// The row of `before` as the server has it now, when its file can be fetched; one that is gone is registered again.
  ///
  /// For an answer that is the same for a file that is still being made as for one that is given out no more.
  ///
  /// - Throws: `DownloadError.notFound` for a row that was revoked.
  func lookAgain(_ before: DownloadRow) async throws -> DownloadRow {
    guard let row = try await find(before) else { return try await register() }
    return try await ready(row)
  }

  /// The row, when its file can be fetched.
  func ready(_ row: DownloadRow) async throws -> DownloadRow {
    var row = row
    if try ManagedRow(row: row).step() == .wait { events(.phase(.waiting)) }
    while try ManagedRow(row: row).step() == .wait {
      try await waiting.sleep(pollPause)
      guard let next = try await find(row) else {
        throw DownloadError(
          .notFound, "The server has removed this download.",
          subject: target.reference.description)
      }
      row = next
    }
    return row
  }

  private func find(_ row: DownloadRow) async throws -> DownloadRow? {
    let list: DownloadList = try await session.calls.call("GET", "downloads")
    return list.downloads.first { $0.id == row.id }
  }
}
