/// Answers with a file in the way in which Go's `http.ServeContent` does, which servers of this contract use.
///
/// Other than `ContentAnswer`: several ranges make a multipart answer, a Range field that cannot be read is 416, and so is
/// one that reaches nothing; both with a text for people.
enum ServedContent {
  /// The answer to `request` from `file`; `headers` come on top.
  static func answer(
    _ request: ServerRequest, with file: OpenFile, type: String, headers: [HeaderField]
  ) -> ServerResponse {
    let version = file.identity
    let common =
      headers + [
        HeaderField("Accept-Ranges", "bytes"),
        HeaderField("ETag", version.entityTag),
        HeaderField("Last-Modified", HTTPDate.text(version.seconds)),
      ]
    switch Preconditions(request, entityTag: version.entityTag, modified: version.seconds) {
    case .failed: return ServerResponse(status: 412, headers: common)
    case .notModified: return ServerResponse(status: 304, headers: common)
    case .answer(let honoursRange):
      let ranges = RangeList(honoursRange ? request["Range"] : nil, byteCount: file.byteCount)
      return answer(ranges, of: file, type: type, headers: common)
    }
  }

  private static func answer(
    _ ranges: RangeList, of file: OpenFile, type: String, headers: [HeaderField]
  ) -> ServerResponse {
    let typed = headers + [HeaderField("Content-Type", type)]
    switch ranges {
    case .whole:
      return ServerResponse(status: 200, headers: typed, body: .file(file, 0..<file.byteCount))
    case .parts(let parts) where parts.count == 1:
      let field = HeaderField("Content-Range", contentRange(parts[0], of: file))
      return ServerResponse(status: 206, headers: typed + [field], body: .file(file, parts[0]))
    case .parts(let parts):
      let boundary = Secret.make().prefix(48)
      let pieces = parts.enumerated().flatMap { index, part in
        let head =
          (index == 0 ? "" : "\r\n")
          + "--\(boundary)\r\nContent-Range: \(contentRange(part, of: file))\r\n"
          + "Content-Type: \(type)\r\n\r\n"
        return [.bytes(Array(head.utf8)), .file(file, part)] as [ServerResponse.Piece]
      }
      let end = ServerResponse.Piece.bytes(Array("\r\n--\(boundary)--\r\n".utf8))
      let field = HeaderField("Content-Type", "multipart/byteranges; boundary=\(boundary)")
      return ServerResponse(status: 206, headers: headers + [field], body: .pieces(pieces + [end]))
    case .unsatisfiable(let isReadable):
      let field = HeaderField("Content-Range", "bytes */\(file.byteCount)")
      return .text(
        isReadable ? "invalid range: failed to overlap\n" : "invalid range\n",
        type: "text/plain; charset=utf-8", status: 416, headers: isReadable ? [field] : [])
    }
  }

  private static func contentRange(_ part: Range<Int64>, of file: OpenFile) -> String {
    "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"
  }
}

/// What a Range field means to a server of the contract.
enum RangeList: Hashable, Sendable {
  /// Everything: there is no field, the file is empty, or the ranges together are longer than the file.
  case whole
  /// These bytes, in the order asked for.
  case parts([Range<Int64>])
  /// Nothing; `isReadable` is false when the field cannot be read.
  case unsatisfiable(isReadable: Bool)

  /// More ranges than anybody needs.
  private static let most = 256

  init(_ field: String?, byteCount: Int64) {
    guard let field, byteCount > 0 else {
      self = .whole
      return
    }
    self = Self.read(field, byteCount) ?? .unsatisfiable(isReadable: false)
  }

  private static func read(_ field: String, _ byteCount: Int64) -> RangeList? {
    guard field.hasPrefix("bytes=") else { return nil }
    var (parts, isBeyond): ([Range<Int64>], Bool) = ([], false)
    let words = field.dropFirst("bytes=".count).split(separator: ",")
    guard words.count <= most else { return .whole }
    for word in words.map(\.trimmed) where !word.isEmpty {
      guard let dash = word.firstIndex(of: "-") else { return nil }
      let (first, last) = (word[..<dash].trimmed, word[word.index(after: dash)...].trimmed)
      guard let part = part(first, last, byteCount) else { return nil }
      if part.isEmpty { isBeyond = true } else { parts.append(part) }
    }
    if parts.isEmpty { return isBeyond ? .unsatisfiable(isReadable: true) : .whole }
    let (sum, overflow) = parts.reduce((Int64(0), false)) { total, part in
      let (sum, overflow) = total.0.addingReportingOverflow(part.upperBound - part.lowerBound)
      return (sum, total.1 || overflow)
    }
    return overflow || sum > byteCount ? .whole : .parts(parts)
  }

  /// The bytes of `first-last`, empty when they are beyond the end; `nil` when it cannot be read.
  private static func part(
    _ first: Substring, _ last: Substring, _ byteCount: Int64
  ) -> Range<Int64>? {
    guard first.utf8.allSatisfy(isDigit), last.utf8.allSatisfy(isDigit) else { return nil }
    if first.isEmpty {
      guard let count = Int64(last) else { return nil }
      return byteCount - min(count, byteCount)..<byteCount
    }
    guard let start = Int64(first) else { return nil }
    if !last.isEmpty {
      guard let end = Int64(last), end >= start || start >= byteCount else { return nil }
      return start >= byteCount
        ? byteCount..<byteCount : start..<min(end, byteCount - 1) + 1
    }
    return min(start, byteCount)..<byteCount
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
