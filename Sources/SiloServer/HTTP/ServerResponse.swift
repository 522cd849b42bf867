/// An answer as a value: nothing has been sent yet.
struct ServerResponse: Sendable {
  /// What follows the header.
  enum Body: Sendable {
    /// Nothing.
    case empty
    /// Bytes in memory, shared and not copied while they are sent.
    case bytes([UInt8])
    /// A part of an open file, read while it is sent.
    case file(OpenFile, Range<Int64>)
    /// Several pieces, one after the other.
    case pieces([Piece])

    var byteCount: Int64 {
      switch self {
      case .empty: 0
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let range): range.upperBound - range.lowerBound
      case .pieces(let pieces): pieces.reduce(0) { $0 + $1.byteCount }
      }
    }
  }

  /// One of several pieces of a body.
  enum Piece: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A part of an open file.
    case file(OpenFile, Range<Int64>)

    var byteCount: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let range): range.upperBound - range.lowerBound
      }
    }
  }

  var status: Int
  var headers: [HeaderField] = []
  var body: Body = .empty
  /// The account whose share of the bandwidth it takes; `nil` for whoever is not signed in.
  var user: Int64?
  /// Called once, on a thread of the server, when the answer was sent (true) or the connection ended before.
  var onEnd: (@Sendable (Bool) -> Void)?

  /// The same for an account, whose share of the bandwidth it takes.
  func sent(to viewer: Viewer) -> ServerResponse {
    var response = self
    response.user = viewer.account
    return response
  }

  /// A text of the given type.
  static func text(
    _ text: String, type: String, status: Int = 200, headers: [HeaderField] = []
  ) -> ServerResponse {
    bytes(Array(text.utf8), type: type, status: status, headers: headers)
  }

  /// Bytes of the given type.
  static func bytes(
    _ bytes: [UInt8], type: String, status: Int = 200, headers: [HeaderField] = []
  ) -> ServerResponse {
    ServerResponse(
      status: status, headers: [HeaderField("Content-Type", type)] + headers, body: .bytes(bytes))
  }

  /// A refusal with a short JSON body; `code` is for programs, `message` for people.
  static func failure(
    _ status: Int, _ code: String, _ message: String, headers: [HeaderField] = []
  ) -> ServerResponse {
    text(
      "{\"error\":\(JSONText.quoted(code)),\"message\":\(JSONText.quoted(message))}\n",
      type: "application/json", status: status, headers: headers)
  }

  /// The answer to a method that an address does not know.
  static func wrongMethod(allowed: [String]) -> ServerResponse {
    let methods = allowed.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
    let words =
      methods.count > 1
      ? methods.dropLast().joined(separator: ", ") + " and " + (methods.last ?? "")
      : methods.joined()
    return failure(
      405, "method_not_allowed",
      "Only \(words) \(methods.count > 1 ? "are" : "is") answered here.",
      headers: [HeaderField("Allow", methods.joined(separator: ", "))])
  }

  /// The answer for what is not there.
  static func notFound(_ message: String = "There is nothing at this address.") -> ServerResponse {
    failure(404, "not_found", message)
  }
}

/// Strings in the JSON that the server writes by hand.
enum JSONText {
  /// `text` as a JSON string, quotes included.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
