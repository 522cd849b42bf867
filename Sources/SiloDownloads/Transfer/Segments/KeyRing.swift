import SiloMedia
import SiloSystem

import struct Foundation.URL

/// The AES-128 keys of one transfer, each fetched once.
actor KeyRing {
  private let fetcher: any SegmentFetching
  private var fetches: [URL: Task<[UInt8], any Error>] = [:]

  init(_ fetcher: any SegmentFetching) { self.fetcher = fetcher }

  /// The 16 bytes of `key`.
  func bytes(of key: SegmentKey) async throws -> [UInt8] {
    if let inline = key.inlineBytes {
      return try Self.bytes(inline, subject: "a key inside the playlist")
    }
    guard let url = key.url else {
      throw DownloadError(.unsupported, "An encrypted segment has a key without an address.")
    }
    let fetch: Task<[UInt8], any Error>
    if let running = fetches[url] {
      fetch = running
    } else {
      let fetcher = fetcher
      fetch = Task { try await Self.fetch(url, fetcher) }
      fetches[url] = fetch
    }
    return try await withTaskCancellationHandler {
      try await fetch.value
    } onCancel: {
      fetch.cancel()
    }
  }

  private static func fetch(_ url: URL, _ fetcher: any SegmentFetching) async throws -> [UInt8] {
    let subject = Redaction.text(of: url)
    do {
      let body = try await fetcher.fetch(url, range: nil, purpose: .document)
      return try bytes(body, subject: subject)
    } catch let error as DownloadError where error.code != .temporary && error.code != .integrity {
      throw DownloadError(
        .integrity, "The key cannot be had: \(error.message)", subject: subject,
        status: error.status, cause: error)
    }
  }

  /// 16 bytes as they are, or 32 hexadecimal digits; nothing else is a key.
  static func bytes(_ body: [UInt8], subject: String) throws(DownloadError) -> [UInt8] {
    if body.count == 16 { return body }
    var digits = body[...]
    while let last = digits.last, (9...13).contains(last) || last == 0x20 { digits.removeLast() }
    if digits.count == 32 {
      let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
      if values.count == 32 {
        return (0..<16).map { UInt8(values[$0 * 2] << 4 | values[$0 * 2 + 1]) }
      }
    }
    // A wrong key is most often a page or a word of the server; its start says which.
    throw DownloadError(
      .integrity,
      "The key is \(body.count) bytes long instead of 16\(words(body)).", subject: subject)
  }

  /// The start of what is no key for certain; bytes, hexadecimal digits and Base64 may be most of one, and are not told.
  private static func words(_ body: [UInt8]) -> String {
    let start = body.prefix(12)
    let isText = start.allSatisfy { (0x20...0x7E).contains($0) || (9...13).contains($0) }
    let isDigits = start.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    guard isText, !isDigits, body.last != UInt8(ascii: "=") else { return "" }
    return "; it starts with “\(SegmentFlaw.start(of: start))”"
  }
}
