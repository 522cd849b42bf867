/// One element of EBML (RFC 8794, 3), inside bytes that are held.
struct EBMLElement {
  /// The id with its marker bits: `0x1A45DFA3`.
  var id: UInt32
  /// What is behind its header.
  var payload: ArraySlice<UInt8>
  /// The whole element.
  var whole: ArraySlice<UInt8>

  /// An element's id and length.
  struct Header {
    /// The id with its marker bits.
    var id: UInt32
    /// The length of the header.
    var headerByteCount: Int
    /// The length behind the header; `nil` when the element does not say.
    var payloadByteCount: Int64?

    /// The header at the start of `bytes`; `nil` when they are too few or no id.
    init?(_ bytes: ArraySlice<UInt8>) {
      var cursor = ByteCursor(bytes)
      guard let first = try? cursor.u8(), first >= 0x10 else { return nil }
      let idLength = first.leadingZeroBitCount
      guard let rest = try? cursor.take(idLength) else { return nil }
      id = rest.reduce(UInt32(first)) { $0 << 8 | UInt32($1) }
      guard let size = EBMLElement.variableNumber(&cursor) else { return nil }
      payloadByteCount = size.isUnknown ? nil : Int64(exactly: size.value)
      headerByteCount = cursor.position - bytes.startIndex
    }
  }

  /// A number of variable length (RFC 8794, 4), without its marker.
  static func variableNumber(_ cursor: inout ByteCursor) -> (value: UInt64, isUnknown: Bool)? {
    guard let first = try? cursor.u8(), first != 0 else { return nil }
    let more = first.leadingZeroBitCount
    guard let rest = try? cursor.take(more) else { return nil }
    let value = rest.reduce(UInt64(first) & (0x7F >> UInt64(more))) { $0 << 8 | UInt64($1) }
    let all = UInt64(1) << UInt64(7 * (more + 1)) - 1
    return (value, value == all)
  }

  /// The elements that `bytes` consist of; ends at the first that is not whole.
  static func list(_ bytes: ArraySlice<UInt8>) -> [EBMLElement] {
    var found: [EBMLElement] = []
    var rest = bytes
    while let header = Header(rest), let size = header.payloadByteCount,
      let count = Int(exactly: size), count <= rest.count - header.headerByteCount
    {
      let start = rest.startIndex + header.headerByteCount
      found.append(
        EBMLElement(
          id: header.id, payload: rest[start..<start + count],
          whole: rest[rest.startIndex..<start + count]))
      rest = rest[(start + count)...]
    }
    return found
  }

  /// The elements in it.
  var children: [EBMLElement] { EBMLElement.list(payload) }

  /// Its payload as an unsigned number; `nil` when that has more than 8 bytes.
  var number: UInt64? {
    payload.count <= 8 ? payload.reduce(0) { $0 << 8 | UInt64($1) } : nil
  }

  /// Its payload as text up to the first zero.
  var text: String { String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self) }
}
