/// An opaque id of a server that goes into addresses and names of folders, and is refused when it could lead elsewhere.
///
/// Letters, digits, `-`, `_`, `.` and `~` of ASCII, at most 128, not beginning with a dot. Servers send decimal numbers.
package protocol PathSafeID: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The id as the server wrote it.
  var text: String { get }
  /// The id of a text that was looked at.
  init(checked text: String)
}

extension PathSafeID {
  /// The id `text`; `nil` when it is not safe.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 128, text.utf8.first != UInt8(ascii: "."),
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."), UInt8(ascii: "~"):
          true
        default: false
        }
      })
    else { return nil }
    self.init(checked: text)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a safe id")
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The id.
  package var description: String { text }
}

/// The id of a download row: the durable key of what a device holds.
package struct DownloadID: PathSafeID {
  package let text: String
  package init(checked text: String) { self.text = text }
}

/// The id that the rows of one season or series share.
package struct BatchID: PathSafeID {
  package let text: String
  package init(checked text: String) { self.text = text }
}
