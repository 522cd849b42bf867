import Foundation
import SiloSystem

/// An answer worked out for one request: the bytes of its head, and a body to be read piece by piece.
struct FaultReply {
  /// A part of what is served.
  struct Body {
    var source: FaultAnswer.Body
    var range: Range<Int64>
    var byteCount: Int64 { range.upperBound - range.lowerBound }

    /// Up to `count` bytes from `offset` of the part; `nil` when they cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
      let start = range.lowerBound + offset
      let count = min(count, Int(range.upperBound - start))
      switch source {
      case .none, .served: return nil
      case .bytes(let bytes): return Array(bytes[Int(start)..<Int(start) + count])
      case .file(let path):
        return try? OwnedDescriptor.open(path, .read).read(at: start, count: count)
      }
    }
  }

  let status: Int
  let head: [UInt8]
  let body: Body
  let faults: FaultAnswer.Faults
  let hasBody: Bool
  let isChunked: Bool
  let endsConnection: Bool

  init(_ answer: FaultAnswer, to request: FaultRequest, resource: FaultAnswer.Body) {
    var source = answer.body
    var status = answer.status
    if case .served = source {
      source = resource
      if case .none = source {
        source = .bytes(Array("nothing at \(request.path)\n".utf8))
        status = 404
      }
    }
    var fields = Fields(answer.headers)
    if answer.faults.gzips, let whole = Self.whole(source) {
      source = .bytes(Gzip.stored(whole))
      fields.add("Content-Encoding", "gzip")
    }
    let total = Self.byteCount(source)
    var body = Body(source: source, range: 0..<total)
    let faults = answer.faults
    if status == 200 {
      if faults.hasValidators { Self.validate(source, &fields) }
      fields.add("Accept-Ranges", "bytes")
      (status, body) = Self.part(of: body, request, faults, &fields)
    }
    fields.add("Content-Type", Self.type(of: request.path))
    fields.add("Date", Self.text(Date()))
    var isChunked = false
    var ends = faults.closes
    switch answer.framing {
    case .length: fields.add("Content-Length", "\(body.byteCount)")
    case .lie(let length):
      fields.add("Content-Length", "\(length)")
      ends = ends || length != body.byteCount
    case .untilClose: ends = true
    case .chunked:
      isChunked = true
      fields.add("Transfer-Encoding", "chunked")
    }
    if ends { fields.add("Connection", "close") }
    endsConnection = ends
    self.isChunked = isChunked
    self.status = status
    self.body = body
    self.faults = faults
    hasBody = request.method != "HEAD" && status != 304 && status != 204
    let lines = fields.list.map { "\($0.name): \($0.value)\r\n" }.joined()
    head = Array("HTTP/1.1 \(status) \(Self.reason(status))\r\n\(lines)\r\n".utf8)
  }

  /// The part that a request gets, and the status that goes with it.
  private static func part(
    of whole: Body, _ request: FaultRequest, _ faults: FaultAnswer.Faults, _ fields: inout Fields
  ) -> (status: Int, body: Body) {
    guard !faults.ignoresRange, request.method == "GET" || request.method == "HEAD" else {
      return (200, whole)
    }
    if let condition = request.header("If-Range"), !faults.ignoresIfRange {
      let isStrong = condition.hasPrefix("\"") && condition == fields["ETag"]
      guard isStrong || condition == fields["Last-Modified"] else { return (200, whole) }
    }
    let total = whole.byteCount
    let told = total + faults.totalShift
    switch request.range(of: total) {
    case .whole: return (200, whole)
    case .unsatisfiable:
      fields.add("Content-Range", "bytes */\(told)")
      return (416, Body(source: .bytes([]), range: 0..<0))
    case .part(let asked):
      let start = min(max(0, asked.lowerBound + faults.rangeShift), total - 1)
      let range = start..<max(start + 1, asked.upperBound)
      fields.add("Content-Range", "bytes \(start)-\(range.upperBound - 1)/\(told)")
      return (206, Body(source: whole.source, range: range))
    }
  }

  /// Header fields; those of a script come first and win.
  private struct Fields {
    var list: [(name: String, value: String)]
    init(_ list: [(name: String, value: String)]) { self.list = list }
    subscript(name: String) -> String? {
      list.first { $0.name.lowercased() == name.lowercased() }?.value
    }
    mutating func add(_ name: String, _ value: String) {
      if self[name] == nil { list.append((name, value)) }
    }
  }

  private static func validate(_ source: FaultAnswer.Body, _ fields: inout Fields) {
    switch source {
    case .none, .served: break
    case .bytes(let bytes):
      fields.add("ETag", "\"\((try? Digest.hex(of: bytes)) ?? "")\"")
    case .file(let path):
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      guard let date = facts?[.modificationDate] as? Date else { return }
      fields.add("ETag", "\"\(byteCount(source))-\(Int(date.timeIntervalSince1970 * 1e6))\"")
      fields.add("Last-Modified", text(date))
    }
  }

  private static func text(_ date: Date) -> String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(secondsFromGMT: 0)
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return form.string(from: date)
  }

  private static func byteCount(_ source: FaultAnswer.Body) -> Int64 {
    switch source {
    case .none, .served: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let path): (try? OwnedDescriptor.open(path, .read).byteCount()) ?? 0
    }
  }

  private static func whole(_ source: FaultAnswer.Body) -> [UInt8]? {
    Body(source: source, range: 0..<byteCount(source)).bytes(at: 0, count: .max)
  }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "m3u8": "application/vnd.apple.mpegurl"
    case "ts": "video/mp2t"
    case "mp4", "m4s", "m4v": "video/mp4"
    case "m4a": "audio/mp4"
    case "mkv": "video/x-matroska"
    case "vtt": "text/vtt"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 404: "Not Found"
    case 416: "Range Not Satisfiable"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}

/// Gzip without compression (RFC 1952, stored blocks of RFC 1951): enough to be decoded.
enum Gzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      out += [rest.isEmpty ? 1 : 0] + little(count) + little(~count) + block
    } while !rest.isEmpty
    return out + little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<UInt32(256)).map { index in
      (0..<8).reduce(index) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
    return ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
