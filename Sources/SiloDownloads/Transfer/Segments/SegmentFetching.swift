import SiloSystem
import Synchronization

package import struct Foundation.URL

/// Fetches the bytes of segments, init sections and keys; scripted in tests.
package protocol SegmentFetching: Sendable {
  /// The whole resource, or `range` of it, in memory.
  ///
  /// A body shorter than announced is fetched again before it comes back. One that has no announced length may be
  /// shorter than it should be.
  ///
  /// - Throws: `DownloadError` for what cannot be had; `CancellationError`.
  func fetch(_ url: URL, range: Range<Int64>?, purpose: HTTPRequest.Purpose) async throws -> [UInt8]
}

/// Segments over HTTP, or beside a local playlist.
package struct SegmentFetcher: SegmentFetching {
  private let client: HTTPClient
  private let fetched: FetchedSegments?
  /// The most bytes that one segment may have.
  static let limit = 256 << 20
  private static let keyLimit = 64 << 10

  /// Fetches through `client` what `fetched` does not have.
  package init(_ client: HTTPClient, fetched: FetchedSegments? = nil) {
    self.client = client
    self.fetched = fetched
  }

  package func fetch(
    _ url: URL, range: Range<Int64>?, purpose: HTTPRequest.Purpose
  ) async throws -> [UInt8] {
    if purpose == .media, let bytes = fetched?.take(url, range: range) { return bytes }
    let limit = purpose == .media ? Self.limit : Self.keyLimit
    if url.isFileURL { return try await Self.read(url, range, limit) }
    let sink = SegmentSink(range: range, limit: limit)
    let request = HTTPRequest(url, purpose: purpose, range: range)
    do {
      _ = try await client.stream(request, into: sink) {
        sink.forget()
        return request
      }
    } catch is SegmentSink.Enough {
    } catch let error as DownloadError where error.code == .temporary && error.status == nil {
      throw sink.cut(error) ?? error
    }
    return sink.take()
  }

  private static func read(
    _ url: URL, _ range: Range<Int64>?, _ limit: Int
  ) async throws -> [UInt8] {
    try await onOwnThread(named: "segment") { _ in
      do {
        let file = try OwnedDescriptor.open(url.path(percentEncoded: false), .read)
        let whole = try 0..<file.byteCount()
        let range = (range ?? whole).clamped(to: whole)
        guard range.count <= limit else { throw SegmentSink.tooLong }
        return try file.read(at: range.lowerBound, count: range.count)
      } catch let error as SystemCallError {
        throw DownloadError(
          error.isNotFound ? .notFound : .config, "The file cannot be read (\(error)).",
          subject: url.lastPathComponent)
      }
    }
  }
}

/// Gathers one segment: the range out of a whole when the server does not do ranges.
final class SegmentSink: HTTPBodySink {
  /// Everything wanted is here, and more was coming.
  struct Enough: Error {}

  static var tooLong: DownloadError {
    DownloadError(.unsupported, "A single segment is larger than is held in memory.")
  }

  private struct State {
    var body: [UInt8] = []
    var skip: Int64 = 0
    var limit: Int64 = 0
    /// What the running attempt announced.
    var announced: Int64?
  }

  private let range: Range<Int64>?
  private let limit: Int
  private let state = Mutex(State())

  init(range: Range<Int64>?, limit: Int) {
    self.range = range
    self.limit = limit
  }

  func take() -> [UInt8] {
    state.withLock { state in
      defer { state.body = [] }
      return state.body
    }
  }

  /// Forgets the last attempt.
  func forget() { state.withLock { $0 = State() } }

  /// The failure of a body that ended early in the last of all attempts: the server is there, the bytes are not.
  func cut(_ error: DownloadError) -> DownloadError? {
    state.withLock { state in
      guard let announced = state.announced, state.body.count < announced else { return nil }
      return DownloadError(
        .integrity,
        "The server sends only \(state.body.count) of \(announced) bytes, however often it is asked.",
        subject: error.subject, cause: error)
    }
  }

  func begin(_ head: HTTPResponseHead) throws {
    var skip: Int64 = 0
    if head.status == 206 {
      let body = head.contentRange?.range
      // A 206 of everything is a whole segment.
      guard let body, body.lowerBound == range?.lowerBound ?? 0,
        range != nil || body.upperBound == head.contentRange?.total
      else { throw SegmentFlaw.wrongRange }
    } else {
      skip = range?.lowerBound ?? 0
    }
    let wanted = range.map { Int64($0.count) }
    let size = wanted ?? head.contentLength ?? 0
    guard size <= limit else { throw Self.tooLong }
    state.withLock { state in
      state.body.removeAll(keepingCapacity: true)
      state.body.reserveCapacity(Int(size))
      state.skip = skip
      state.limit = wanted ?? Int64(limit)
      state.announced = wanted ?? head.contentLength
    }
  }

  func receive(_ bytes: RawSpan) throws {
    try state.withLock { state in
      let skipped = Int(min(state.skip, Int64(bytes.byteCount)))
      state.skip -= Int64(skipped)
      let room = Int(state.limit) - state.body.count
      let taken = min(room, bytes.byteCount - skipped)
      bytes.withUnsafeBytes { state.body.append(contentsOf: $0[skipped..<(skipped + taken)]) }
      if taken < bytes.byteCount - skipped {
        if range == nil { throw Self.tooLong }
        throw Enough()
      }
    }
  }
}
