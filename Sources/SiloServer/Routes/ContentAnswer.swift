/// Answers with content that has a length and a version: whole, in part, or not at all.
enum ContentAnswer {
  /// The answer to `request` from `file`, which is called `name`.
  static func answer(_ request: ServerRequest, with file: OpenFile, name: String) -> ServerResponse
  {
    answer(
      request, byteCount: file.byteCount, type: MediaType.of(name), version: file.identity
    ) { .file(file, $0) }
  }

  /// The answer to `request` from bytes that were made of `file`.
  static func answer(
    _ request: ServerRequest, with bytes: [UInt8], type: String, of file: OpenFile
  ) -> ServerResponse {
    answer(
      request, byteCount: Int64(bytes.count), type: type, version: file.identity
    ) { range in
      range.count == bytes.count
        ? .bytes(bytes) : .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
  }

  private static func answer(
    _ request: ServerRequest, byteCount: Int64, type: String, version: FileIdentity,
    body: (Range<Int64>) -> ServerResponse.Body
  ) -> ServerResponse {
    let common = [
      HeaderField("ETag", version.entityTag),
      HeaderField("Last-Modified", HTTPDate.text(version.seconds)),
      HeaderField("Accept-Ranges", "bytes"),
      HeaderField("Cache-Control", "no-cache"),
    ]
    switch Preconditions(request, entityTag: version.entityTag, modified: version.seconds) {
    case .failed:
      return .failure(
        412, "precondition_failed", "The file is another version.", headers: common)
    case .notModified:
      return ServerResponse(status: 304, headers: common)
    case .answer(let honoursRange):
      let headers = common + [HeaderField("Content-Type", type)]
      switch ByteRange(honoursRange ? request["Range"] : nil, byteCount: byteCount) {
      case .whole:
        return ServerResponse(status: 200, headers: headers, body: body(0..<byteCount))
      case .part(let part):
        let value = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)"
        return ServerResponse(
          status: 206, headers: headers + [HeaderField("Content-Range", value)],
          body: body(part))
      case .unsatisfiable:
        return .failure(
          416, "range_not_satisfiable", "There are \(byteCount) bytes.",
          headers: [
            HeaderField("Content-Range", "bytes */\(byteCount)"),
            HeaderField("ETag", version.entityTag),
          ])
      }
    }
  }
}
