public import SiloMedia
import SiloSystem
import Synchronization

public import struct Foundation.URL

/// The bytes of a file on a server, at any offset, in few requests.
///
/// `read` blocks its thread until the bytes are there, so it is called from a thread of the caller's own, never from a
/// task. It may return fewer bytes than asked for when the rest would cost a request.
public final class HTTPByteSource: ByteSource {
  /// The head of the first response: its URL after redirects, type and name.
  public let head: HTTPResponseHead
  /// The length of the whole; `nil` when the server does not tell.
  public let byteCount: Int64?
  /// Whether the server gives parts; without, only `openingBytes` can be read.
  public let supportsRanges: Bool
  /// The first bytes of the file, as many as it was opened with or all of it.
  public let openingBytes: [UInt8]
  /// What tells this version of the file from another.
  public var validators: HTTPValidators { head.validators }

  private struct State {
    var cache = PieceCache(capacity: 48 << 20)
    var readAhead = ReadAhead()
    var requestCount = 0
    var receivedByteCount: Int64 = 0
    var usesFirstURL = false
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let client: HTTPClient
  private let request: HTTPRequest
  private let subject: String
  private let state = Mutex(State())

  /// How many responses it took so far.
  public var requestCount: Int { state.withLock { $0.requestCount } }
  /// How many body bytes arrived so far.
  public var receivedByteCount: Int64 { state.withLock { $0.receivedByteCount } }

  /// Whether `openingBytes` is all there is.
  public var isWhole: Bool { byteCount == Int64(openingBytes.count) }

  /// Opens the file at `url` with one request for its first bytes.
  ///
  /// - Parameters:
  ///   - headers: Sent to this URL's origin only, beside the client's own.
  ///   - byteCount: How many bytes the first request asks for: those that recognise what it is, or fewer.
  /// - Throws: `DownloadError` as of `HTTPClient.stream`.
  public static func open(
    _ url: URL, with client: HTTPClient, headers: [HTTPHeader] = [],
    byteCount: Int64 = MediaSource.openingByteCount
  ) async throws -> HTTPByteSource {
    let subject = Redaction.text(of: url)
    let range = 0..<max(1, byteCount)
    let sink = RangeSink(range, of: nil, subject: subject)
    var request = HTTPRequest(url, purpose: .media, range: range, headers: headers)
    request.isLook = true
    do {
      _ = try await client.stream(request, into: sink) { [request] in
        var rest = request
        rest.range = sink.rest
        return rest
      }
    } catch is RangeSink.Enough {
    } catch let error as DownloadError where error.status == 416 {
      // An empty file has no range.
      request.range = nil
      do { _ = try await client.stream(request, into: sink) } catch is RangeSink.Enough {}
    }
    guard let head = sink.head else {
      throw DownloadError(.temporary, "The server gave no answer.", subject: subject)
    }
    return HTTPByteSource(client, request, head, sink, subject, asked: range)
  }

  private init(
    _ client: HTTPClient, _ request: HTTPRequest, _ head: HTTPResponseHead, _ sink: RangeSink,
    _ subject: String, asked: Range<Int64>
  ) {
    self.client = client
    self.request = request
    self.head = head
    self.subject = subject
    let bytes = sink.bytes
    openingBytes = bytes
    supportsRanges = head.status == 206
    let isEnded = head.status == 200 && sink.cost.byteCount == Int64(bytes.count)
    let isShort = bytes.count < asked.count
    byteCount = head.totalByteCount ?? (isEnded && isShort ? Int64(bytes.count) : nil)
    state.withLock {
      $0.cache.insert(bytes, at: 0)
      $0.readAhead.note(0..<Int64(max(1, bytes.count)))
      $0.requestCount = sink.cost.requests
      $0.receivedByteCount = sink.cost.byteCount
    }
  }

  /// Ends a read that waits, and every later one, with `CancellationError`.
  public func cancel() {
    let task = state.withLock {
      $0.isCancelled = true
      return $0.task
    }
    task?.cancel()
  }

  /// Makes the next request inside `range` ask for all that is left of it, up to 32 MiB.
  public func willRead(_ range: Range<Int64>) {
    state.withLock { $0.readAhead.announce(range) }
  }

  /// Reads what is at hand at `offset`, or asks the server for it and blocks the thread until it is there.
  ///
  /// - Throws: `DownloadError`: `integrity` when the file is no longer the one that was opened, `unavailable` without
  ///   ranges; `CancellationError` after `cancel()`.
  public func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    guard offset >= 0, buffer.byteCount > 0 else { return 0 }
    if let byteCount, offset >= byteCount { return 0 }
    let count = copy(at: offset, into: &buffer)
    if count > 0 { return count }
    guard supportsRanges else {
      throw DownloadError(
        .unavailable,
        "The server gives no parts of the file: only its first \(ByteCount.text(Int64(openingBytes.count))) can be looked at.",
        subject: subject)
    }
    let wanted = Int64(buffer.byteCount)
    let range = state.withLock {
      $0.readAhead.range(
        at: offset, count: wanted, total: byteCount, before: $0.cache.nextStart(after: offset))
    }
    let bytes = try fetch(range)
    if bytes.isEmpty, byteCount != nil {
      throw DownloadError(
        .integrity, "The server sent nothing for a part that the file has.", subject: subject)
    }
    state.withLock { $0.cache.insert(bytes, at: range.lowerBound) }
    return copy(at: offset, into: &buffer)
  }

  private func copy(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    // The cache leaves the lock for the copy: a mutable span cannot be captured, and one thread reads at a time.
    var cache = state.withLock { state in
      let cache = state.cache
      state.cache = PieceCache(capacity: 0)
      return cache
    }
    let count = cache.copy(at: offset, into: &buffer)
    let used = cache
    state.withLock { $0.cache = used }
    return count
  }
}

// MARK: - From the waiting thread to the client and back

extension HTTPByteSource {
  private func fetch(_ range: Range<Int64>) throws -> [UInt8] {
    let handoff = Handoff<[UInt8]>()
    let task = Task {
      do {
        handoff.put(.success(try await self.load(range)))
      } catch {
        handoff.put(.failure(error))
      }
    }
    let isCancelled = state.withLock {
      $0.task = task
      return $0.isCancelled
    }
    if isCancelled { task.cancel() }
    defer { state.withLock { $0.task = nil } }
    return try handoff.take()
  }

  private func load(_ range: Range<Int64>) async throws -> [UInt8] {
    let usesFirstURL = state.withLock { $0.usesFirstURL } || head.url == request.url
    if usesFirstURL { return try await load(range, at: request.url) }
    do {
      return try await load(range, at: head.url)
    } catch let error as DownloadError
      where [401, 403, 404, 410].contains(error.status ?? 0)
    {
      // A redirect's target may have expired; the address that the user gave has not.
      state.withLock { $0.usesFirstURL = true }
      return try await load(range, at: request.url)
    }
  }

  private func load(_ range: Range<Int64>, at url: URL) async throws -> [UInt8] {
    let sink = RangeSink(range, of: validators, subject: subject)
    defer {
      let cost = sink.cost
      state.withLock {
        $0.requestCount += cost.requests
        $0.receivedByteCount += cost.byteCount
      }
    }
    // The headers belong to the origin of the first address, wherever that led.
    let headers = Origin(url) == Origin(request.url) ? request.headers : []
    do {
      var request = HTTPRequest(url, purpose: .media, range: range, headers: headers)
      request.isLook = true
      _ = try await client.stream(request, into: sink) { [request] in
        var rest = request
        rest.range = sink.rest
        return rest
      }
    } catch is RangeSink.Enough {
    } catch let error as DownloadError where error.status == 416 && byteCount == nil {
      return []
    }
    return sink.bytes
  }
}
