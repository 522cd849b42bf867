import SiloSystem

/// What is wrong with the bytes of a segment; worth another request, because most often it is the delivery.
enum SegmentFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// Fewer or more bytes than asked for.
  case wrongLength(expected: Int64, found: Int64)
  /// Another range than the one asked for, or only a part of the whole.
  case wrongRange
  /// It ends inside a packet, box or frame.
  case cut(String)
  /// A page, JSON or other text.
  case text(String)
  /// Not a form that segments have.
  case unknown(String)
  /// The padding after decryption is wrong.
  case padding

  /// How often a part with this flaw is requested before it counts.
  var attempts: Int { self == .padding ? 2 : 3 }

  var description: String {
    switch self {
    case .empty: "the server sent nothing"
    case .wrongLength(let expected, let found): "\(found) bytes came instead of \(expected)"
    case .wrongRange: "the server sent another range than it was asked for"
    case .cut(let what): "it ends in the middle of \(what)"
    case .text(let start): "the server sent text instead of media (“\(start)”)"
    case .unknown(let start): "it is no media segment (it starts with \(start))"
    case .padding:
      "it does not decrypt: the key, the IV or the byte range is wrong, or the bytes are damaged"
    }
  }

  /// The first characters of what should have been something else, fit for a message.
  static func start(of bytes: some Collection<UInt8>) -> String {
    let head = String(decoding: bytes.prefix(24), as: UTF8.self)
    return Redaction.printable(head)
  }
}
