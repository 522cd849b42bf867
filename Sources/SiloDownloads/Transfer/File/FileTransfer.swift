import SiloStore
package import SiloSystem

package import struct Foundation.URL

/// Fetches one plain file into a partial file with a journal beside it (`….part`, `….part.journal`).
///
/// A rerun continues where the journal says, when the source proves to be the same; otherwise it starts over in place.
package struct FileTransfer: Sendable {
  private let client: HTTPClient
  private let request: HTTPRequest
  private let path: String
  private let expectsMedia: Bool
  private let identity: String?
  private let expectedByteCount: Int64?
  private let digests: @Sendable (HTTPResponseHead) -> Set<Digest.Algorithm>
  private let pace: TransferPace

  /// A transfer of `request`, whose range is ignored, into the file `partial`.
  ///
  /// - Parameters:
  ///   - expectsMedia: Refuse web pages and JSON.
  ///   - identity: What else than the address a partial has to be of to be continued; never stored as it is.
  ///   - expectedByteCount: The length that somebody vouches for: no byte of another one is written.
  ///   - digests: Which digests to compute beside SHA-256, when the head of the first answer is there.
  ///   - pace: How soon connections are looked at again.
  package init(
    client: HTTPClient, request: HTTPRequest, partial: URL, expectsMedia: Bool = true,
    identity: String? = nil, expectedByteCount: Int64? = nil,
    digests: @escaping @Sendable (HTTPResponseHead) -> Set<Digest.Algorithm> = { _ in [] },
    pace: TransferPace = TransferPace()
  ) {
    self.client = client
    self.request = request
    path = partial.path(percentEncoded: false)
    self.expectsMedia = expectsMedia
    self.identity = identity
    self.expectedByteCount = expectedByteCount
    self.digests = digests
    self.pace = pace
  }

  /// A transfer of the file at `url` into the file `partial`.
  package init(
    client: HTTPClient, url: URL, partial: URL, expectsMedia: Bool = true,
    pace: TransferPace = TransferPace()
  ) {
    self.init(
      client: client, request: HTTPRequest(url, purpose: .media), partial: partial,
      expectsMedia: expectsMedia, pace: pace)
  }

  /// Fetches what is missing, and syncs the file; it keeps its partial name.
  ///
  /// - Parameter progress: Called on the client's thread about every 256 KiB with the bytes that are there and the total,
  ///   as far as it is known; never goes back.
  /// - Throws: `DownloadError`: `integrity` for a source that keeps changing or has another length than it says
  ///   or than was expected, `unsupported` for a page in place of media or an empty file, `locked`, `space` with the partial kept, and what the
  ///   client throws; `CancellationError` with the partial kept.
  package func run(
    progress: @escaping @Sendable (_ byteCount: Int64, _ total: Int64?) -> Void = { _, _ in }
  ) async throws -> TransferredFile {
    do {
      let path = path
      let (url, identity) = (request.url, identity)
      let (part, stored) = try await onOwnThread(named: "part-open") { _ in
        let part = try PartFile(path, of: url, identity: identity)
        return (part, try part.restore())
      }
      return try await run(PartHold(part), stored, progress)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    } catch let error as StoreError {
      throw DownloadError(journal: error)
    }
  }

  private func run(
    _ hold: PartHold, _ stored: (pieces: ByteRanges, validators: HTTPValidators),
    _ progress: @escaping @Sendable (Int64, Int64?) -> Void
  ) async throws -> TransferredFile {
    let part = hold.part
    let (marks, requests) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let wishes = TransferDesk.Wishes(
      expectsMedia: expectsMedia, expectedByteCount: expectedByteCount, pace: pace,
      digests: digests,
      needsMark: { requests.yield() }, report: progress)
    let desk = try TransferDesk(
      part: part, request: request, pieces: stored.pieces, validators: stored.validators,
      most: client.options.connectionsPerFile, rateLimit: client.options.bytesPerSecond,
      wishes: wishes, now: client.waiting.now)
    if stored.pieces.byteCount > 0 {
      progress(stored.pieces.byteCount, stored.validators.totalByteCount)
    }
    async let marking: Void = Self.mark(part, desk, whenever: marks)
    let result: Result<HTTPResponseHead, any Error>
    do {
      result = .success(try await TransferCrew(client: client, desk: desk).run())
    } catch {
      result = .failure(error)
    }
    requests.finish()
    await marking
    // What arrived is kept, whatever ended the transfer; a mark that fails costs only what lies after the last one.
    let last = Task { try await Self.mark(part, desk) }
    let head: HTTPResponseHead
    do {
      head = try result.get()
    } catch {
      _ = await last.result
      throw error
    }
    let computed = try await desk.finishDigests()
    try await last.value
    let byteCount = desk.written.pieces.byteCount
    progress(byteCount, byteCount)
    let file = TransferredFile(
      hold: hold, byteCount: byteCount, receivedByteCount: desk.received, digests: computed,
      head: head)
    if let expectedByteCount, byteCount != expectedByteCount {
      file.discard()
      throw desk.unexpected(byteCount)
    }
    return file
  }

  @concurrent
  private static func mark(
    _ part: PartFile, _ desk: TransferDesk, whenever marks: AsyncStream<Void>
  ) async {
    for await _ in marks { try? await mark(part, desk) }
  }

  private static func mark(_ part: PartFile, _ desk: TransferDesk) async throws {
    let (pieces, generation) = desk.written
    try await onOwnThread(named: "part-sync") { _ in
      try part.mark(pieces, generation: generation)
    }
  }
}
