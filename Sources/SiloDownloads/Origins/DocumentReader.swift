import Foundation
import SiloMedia
import SiloSystem

/// Reads small things whole (playlists, keys, first segments), from the web or from beside a local playlist.
struct DocumentReader: Sendable {
  /// The client for what lies on the web.
  let client: HTTPClient

  /// Reads `url`, or `range` of it, and the URL that answered.
  ///
  /// - Parameter limit: the most bytes; more are refused.
  func read(
    _ url: URL, range: Range<Int64>? = nil, purpose: HTTPRequest.Purpose = .document,
    limit: Int = 16 << 20
  ) async throws -> HTTPDocument {
    guard url.isFileURL else {
      var request = HTTPRequest(url, purpose: purpose, range: range)
      request.isLook = true
      return try await client.fetch(request, limit: limit)
    }
    return try await onOwnThread(named: "document") { _ in
      try Self.readFile(url, range: range, limit: limit)
    }
  }

  private static func readFile(_ url: URL, range: Range<Int64>?, limit: Int) throws -> HTTPDocument
  {
    do {
      let file = try OwnedDescriptor.open(url.path, .read)
      let whole = 0..<(try file.byteCount())
      let wanted = range.map { $0.clamped(to: whole) } ?? whole
      guard wanted.count <= limit else {
        throw DownloadError(
          .unsupported,
          "this is larger than the \(ByteCount.text(Int64(limit))) that such a file may have",
          subject: url.path)
      }
      let bytes = try file.read(at: wanted.lowerBound, count: wanted.count)
      return HTTPDocument(
        head: HTTPResponseHead(
          status: 200, url: url, headers: [HTTPHeader("Content-Length", String(whole.count))]),
        body: bytes)
    } catch let error as SystemCallError {
      throw DownloadError(
        error.isNotFound ? .notFound : .config, "cannot be read: \(error)",
        subject: Redaction.printable(url.path), cause: error)
    }
  }
}
