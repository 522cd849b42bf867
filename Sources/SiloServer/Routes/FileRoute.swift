/// Answers with a file of the folder, whole or in part.
enum FileRoute {
  /// The answer to `request` from `file`, which is called `name`.
  static func answer(_ request: ServerRequest, with file: OpenFile, name: String) -> ServerResponse
  {
    let identity = file.identity
    let common = [
      HeaderField("ETag", identity.entityTag),
      HeaderField("Last-Modified", HTTPDate.text(identity.seconds)),
      HeaderField("Accept-Ranges", "bytes"),
      HeaderField("Cache-Control", "no-cache"),
    ]
    let conditions = Preconditions(
      request, entityTag: identity.entityTag, modified: identity.seconds)
    switch conditions {
    case .failed:
      return .failure(
        412, "precondition_failed", "The file is another version.", headers: common)
    case .notModified:
      return ServerResponse(status: 304, headers: common)
    case .answer(let honoursRange):
      let range = ByteRange(
        honoursRange ? request["Range"] : nil, byteCount: file.byteCount)
      return body(range, of: file, type: MediaType.of(name), headers: common)
    }
  }

  private static func body(
    _ range: ByteRange, of file: OpenFile, type: String, headers: [HeaderField]
  ) -> ServerResponse {
    let headers = headers + [HeaderField("Content-Type", type)]
    switch range {
    case .whole:
      return ServerResponse(status: 200, headers: headers, body: .file(file, 0..<file.byteCount))
    case .part(let part):
      let value = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.byteCount)"
      return ServerResponse(
        status: 206, headers: headers + [HeaderField("Content-Range", value)],
        body: .file(file, part))
    case .unsatisfiable:
      return .failure(
        416, "range_not_satisfiable", "The file has \(file.byteCount) bytes.",
        headers: [
          HeaderField("Content-Range", "bytes */\(file.byteCount)"),
          HeaderField("ETag", file.identity.entityTag),
        ])
    }
  }
}
