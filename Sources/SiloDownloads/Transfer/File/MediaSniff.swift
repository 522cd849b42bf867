/// Tells what the first bytes of a body are when they are no media.
enum MediaSniff {
  /// "a web page", "JSON"; `nil` for what may be media.
  static func foreignKind(_ bytes: RawSpan) -> String? {
    foreignKind(bytes.withUnsafeBytes { Array($0.prefix(256)) })
  }

  /// "a web page", "JSON"; `nil` for what may be media.
  static func foreignKind(_ bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { (9...13).contains($0) || $0 == 0x20 }
    let start = String(decoding: rest.prefix(16), as: UTF8.self).lowercased()
    if ["<!doctype", "<html", "<head", "<body", "<?xml", "<error"].contains(where: start.hasPrefix)
    {
      return "a web page or another text"
    }
    let isText = rest.prefix(64).allSatisfy { $0 >= 0x20 || (9...13).contains($0) }
    if isText, start.hasPrefix("{") || start.hasPrefix("[{") || start.hasPrefix("[\"") {
      return "JSON"
    }
    return nil
  }
}
