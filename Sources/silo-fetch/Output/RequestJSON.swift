import SiloServer

/// One request that the server answered: a line of `serve --json --verbose`.
struct RequestJSON: Encodable {
  let event = "request"
  let method, path: String
  let range: String?
  let status: Int
  let byteCount: Int64

  init(_ record: RequestRecord) {
    method = record.method
    path = record.path
    range = record.range
    status = record.status
    byteCount = record.byteCount
  }

  private enum CodingKeys: String, CodingKey {
    case event, method, path, range, status
    case byteCount = "bytes"
  }
}
