import Foundation
import SiloMedia
import SiloSystem

/// Fetches a file that cannot be looked into on its server, beside where it will lie, and looks into it then.
struct UnseenFetch: Sendable {
  let request: DownloadRequest
  let file: UnseenFile
  let client: HTTPClient
  let events: @Sendable (DownloadEvent) -> Void
  /// Told which output is begun.
  let note: @Sendable (URL) async -> Void

  /// Fetches and looks.
  func run() async throws -> (OpenedFile, TransferredFile) {
    if let maximum = request.maximumSize, let byteCount = file.byteCount, byteCount > maximum {
      throw MediaError(
        .overBudget,
        "The file has \(ByteCount.text(byteCount)), more than the \(ByteCount.text(maximum)) allowed, and its server lets nobody look inside.",
        subject: Redaction.text(of: file.url))
    }
    try request.requireFileOutput()
    let place = OutputPlace(
      output: request.output, isFolder: { _ in DownloadJob.isFolder(request.output) },
      names: file.names, suffix: nil, askedContainer: nil, current: DownloadJob.currentFolder,
      nameByteLimit: DiskSpace.nameByteLimit(beside:))
    try place.requireRoom(nameByteLimit: DiskSpace.nameByteLimit(beside: place.url))
    try place.requireReplaceable()
    try request.claims?.claim(
      place.url, by: request.registered?.item ?? ResourceIdentity.text(of: file.url))
    events(.placed(place.url))
    try place.makeFolder()
    let part = place.url.deletingLastPathComponent().appending(
      component: place.url.lastPathComponent + ".source.part", directoryHint: .notDirectory)
    try SideFiles.requireOwn(part)
    let reservation = try await reserve(place.url, part)
    await note(place.url)
    let pause = SpacePause(
      policy: request.whenDiskIsFull, reservation: reservation, events: events)
    let transferred = try await pause.run { events in
      events(.phase(.transferring))
      let meter = ProgressMeter(total: file.byteCount, events: events)
      let file = try await FileTransfer(
        client: client, request: HTTPRequest(file.url, purpose: .media), partial: part,
        identity: request.registered?.name,
        expectedByteCount: request.registered?.expectedByteCount
      )
      .run { meter.report(bytes: $0, total: $1) }
      try await request.registered?.stillHolds()
      return file
    }
    do {
      let inventory = try await MediaInventory.probe(.file(part))
      let opened = OpenedFile(
        place: .fetched(file.url, transferred), inventory: inventory, names: file.names)
      return (opened, transferred)
    } catch let error as MediaError {
      transferred.discard()
      throw error
    }
  }

  /// The download alone: what is made of it is not known yet.
  private func reserve(_ output: URL, _ part: URL) async throws -> SpaceReservation {
    let need = SpaceReservations.Need(
      output: output, places: [part], peakByteCount: file.byteCount)
    return try await SpaceReservations.shared.reserve(
      need, waits: { events(.phase(.waiting)) }
    ) { look in
      guard let available = look.availableByteCount, let peak = look.peakByteCount,
        available < peak - min(peak, look.usedByteCount)
      else { return }
      throw DownloadError(
        .space,
        "The disk has \(ByteCount.text(available)) for this, and \(ByteCount.text(peak - min(peak, look.usedByteCount))) are needed. Free some, or choose another place.",
        subject: Redaction.text(of: file.url))
    }
  }
}
