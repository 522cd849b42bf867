import SiloStore
import SiloSystem
import Synchronization

package import struct Foundation.URL

/// Fetches one plain file into a partial file with a journal beside it (`….part`, `….part.journal`).
///
/// A rerun continues where the journal says, when the source proves to be the same; otherwise it starts over in place.
package struct FileTransfer: Sendable {
  private let client: HTTPClient
  private let request: HTTPRequest
  private let path: String
  private let expectsMedia: Bool

  /// A transfer of `request`, whose range is ignored, into the file `partial`.
  ///
  /// - Parameter expectsMedia: Refuse web pages and JSON.
  package init(
    client: HTTPClient, request: HTTPRequest, partial: URL, expectsMedia: Bool = true
  ) {
    self.client = client
    self.request = request
    path = partial.path(percentEncoded: false)
    self.expectsMedia = expectsMedia
  }

  /// A transfer of the file at `url` into the file `partial`.
  package init(client: HTTPClient, url: URL, partial: URL, expectsMedia: Bool = true) {
    self.init(
      client: client, request: HTTPRequest(url, purpose: .media), partial: partial,
      expectsMedia: expectsMedia)
  }

  /// Fetches what is missing, and syncs the file; it keeps its partial name.
  ///
  /// - Parameter progress: Called on the client's thread about every 256 KiB with the bytes that are there and the total,
  ///   as far as it is known; never goes back.
  /// - Throws: `DownloadError`: `integrity` for a source that keeps changing or has another length than it says,
  ///   `unsupported` for a page in place of media or an empty file, `locked`, `space` with the partial kept, and what the
  ///   client throws; `CancellationError` with the partial kept.
  package func run(
    progress: @escaping @Sendable (_ byteCount: Int64, _ total: Int64?) -> Void = { _, _ in }
  ) async throws -> TransferredFile {
    do {
      let path = path
      let url = request.url
      let (part, plan) = try await onOwnThread(named: "part-open") { _ in
        let part = try PartFile(path, of: url)
        return (part, try Self.stored(part))
      }
      return try await run(PartHold(part), plan, progress)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    } catch let error as StoreError {
      throw DownloadError(journal: error)
    }
  }

  /// What the journal says, as far as the file has it.
  private static func stored(_ part: PartFile) throws -> TransferPlan {
    let plan = try part.journal.withLock { try $0.plan() }
    return try part.descriptor.byteCount() >= plan.written ? plan : TransferPlan()
  }

  private func run(
    _ hold: PartHold, _ plan: TransferPlan,
    _ progress: @escaping @Sendable (Int64, Int64?) -> Void
  ) async throws -> TransferredFile {
    let part = hold.part
    let prefix = try await onOwnThread(named: "part-digest") { flag in
      try PrefixDigest(of: part, byteCount: plan.written, flag)
    }
    let (marks, requests) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sink = TransferSink(
      part: part, request: request, plan: plan, digest: try prefix.take(),
      expectsMedia: expectsMedia, needsMark: { requests.yield() }, report: progress)
    if plan.written > 0 { progress(plan.written, plan.validators.totalByteCount) }
    async let marking: Void = Self.mark(part, sink, whenever: marks)
    let result: Result<HTTPResponseHead, any Error>
    do {
      result = .success(try await fetch(into: sink))
    } catch {
      result = .failure(error)
    }
    requests.finish()
    await marking
    // What arrived is kept, whatever ended the transfer; a mark that fails costs only what lies after the last one.
    let written = sink.written
    let last = Task {
      try await onOwnThread(named: "part-sync") { _ in
        try part.mark(written.end, generation: written.generation)
      }
    }
    let marked = await last.result
    let head = try result.get()
    try marked.get()
    progress(written.end, written.end)
    return TransferredFile(
      hold: hold, byteCount: written.end, sha256: try sink.finishDigest(), head: head)
  }

  @concurrent
  private static func mark(
    _ part: PartFile, _ sink: TransferSink, whenever marks: AsyncStream<Void>
  ) async {
    for await _ in marks {
      let written = sink.written
      _ = try? await onOwnThread(named: "part-sync") { _ in
        try part.mark(written.end, generation: written.generation)
      }
    }
  }

  private func fetch(into sink: TransferSink) async throws -> HTTPResponseHead {
    var reached: Int64 = -1
    while true {
      do {
        let head = try await client.stream(sink.nextRequest(), into: sink) { sink.nextRequest() }
        let (end, total, _) = sink.written
        if end == total ?? end {
          guard end > 0 else { throw failure(.unsupported, "The file is empty.") }
          return head
        }
        guard end > reached else {
          throw failure(
            .integrity, "The file ends after \(end) bytes, and \(total ?? end) were announced.")
        }
        reached = end
      } catch let error as TransferSink.StartOver {
        try sink.startOver(error.reason)
        reached = -1
      } catch let error as DownloadError where error.status == 416 && sink.written.end > 0 {
        try sink.startOver("The source is shorter than it was.")
        reached = -1
      }
    }
  }

  private func failure(_ code: DownloadError.Code, _ message: String) -> DownloadError {
    DownloadError(code, message, subject: Redaction.text(of: request.url))
  }
}

/// The digest of bytes that an earlier run left, on its way from the thread that computed it.
private final class PrefixDigest: Sendable {
  private let digest: Mutex<Digest?>

  init(of part: PartFile, byteCount: Int64, _ flag: CancellationFlag) throws {
    var digest = try Digest(.sha256)
    var offset: Int64 = 0
    while offset < byteCount {
      try flag.check()
      let bytes = try part.descriptor.read(
        at: offset, count: Int(min(byteCount - offset, 1 << 20)))
      guard !bytes.isEmpty else { break }
      digest.update(bytes)
      offset += Int64(bytes.count)
    }
    self.digest = Mutex(digest)
  }

  func take() throws -> Digest {
    let taken = digest.withLock { $0.take() }
    if let taken { return taken }
    return try Digest(.sha256)
  }
}
