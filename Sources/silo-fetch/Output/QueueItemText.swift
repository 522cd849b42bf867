import SiloDownloads
import SiloSystem

/// An item of the queue as JSON: keys sorted, written by hand, since a list may have ten thousand.
enum QueueItemText {
  /// The object of `item` in one line.
  static func json(_ item: QueueItem) -> String {
    var line = FlatJSON()
    line.add("attempt", Int64(item.attempt))
    line.add("bytes", item.byteCount)
    line.add("code", item.failure?.code.description)
    if item.isDamaged { line.add("damaged", true) }
    line.add("id", item.id)
    line.add("message", item.failure?.message)
    line.add("needs", item.needs)
    line.add("path", item.path)
    line.add("retryable", item.failure?.isWorthRetrying)
    line.add("source", item.source)
    line.add("state", item.state.rawValue)
    line.add("title", item.title)
    line.add("total", item.expectedByteCount)
    return line.text
  }
}

/// One flat JSON object in one line; what is `nil` is left out.
struct FlatJSON {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// The object.
  var text: String { String(decoding: bytes + [UInt8(ascii: "}")], as: UTF8.self) }

  mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    begin(key)
    append(string: value)
  }

  mutating func add(_ key: String, _ value: Int64?) {
    guard let value else { return }
    begin(key)
    bytes += "\(value)".utf8
  }

  mutating func add(_ key: String, _ value: Bool?) {
    guard let value else { return }
    begin(key)
    bytes += (value ? "true" : "false").utf8
  }

  mutating func add(_ key: String, _ values: [String]) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(string: value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ key: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    append(string: key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
