import SiloMedia
import SiloSystem
import Synchronization

/// A small response held in memory: a playlist, a key, an answer of a server.
public struct HTTPDocument: Sendable {
  /// The head of the final response.
  public let head: HTTPResponseHead
  /// The body, decompressed.
  public let body: [UInt8]

  /// A document of the given parts.
  public init(head: HTTPResponseHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }
}

/// Gathers a body up to a limit.
final class DocumentSink: HTTPBodySink {
  private let limit: Int
  private let subject: String
  private let body = Mutex<[UInt8]>([])

  init(limit: Int, subject: String) {
    self.limit = limit
    self.subject = subject
  }

  /// What arrived.
  func take() -> [UInt8] { body.withLock { $0 } }

  func begin(_ head: HTTPResponseHead) throws {
    if let length = head.contentLength, length > limit { throw tooLong }
    body.withLock { $0.removeAll(keepingCapacity: true) }
  }

  func receive(_ bytes: RawSpan) throws {
    try body.withLock { body in
      guard body.count + bytes.byteCount <= limit else { throw tooLong }
      bytes.withUnsafeBytes { body.append(contentsOf: $0) }
    }
  }

  private var tooLong: DownloadError {
    DownloadError(
      .unsupported,
      "The document is longer than \(ByteCount.text(Int64(limit))): not what it should be.",
      subject: subject)
  }
}
