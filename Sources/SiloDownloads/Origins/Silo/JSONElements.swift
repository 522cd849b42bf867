/// Cuts the elements of a list out of a JSON text as they were written (pure): what is kept has to be the server's own bytes.
///
/// For text that was decoded already; of any other it finds as much as it can, and never reads beyond the end.
enum JSONElements {
  /// The elements of the list that the outermost object has under `key`; empty without one.
  static func list(_ key: String, in text: [UInt8]) -> [ArraySlice<UInt8>] {
    let quoted = Array("\"\(key)\"".utf8)
    var scan = Scan(text)
    while let place = scan.next() {
      guard scan.depth == 1, text[place] == UInt8(ascii: "\""),
        text[place...].starts(with: quoted)
      else { continue }
      var after = place + quoted.count
      while after < text.count, isBlank(text[after]) || text[after] == UInt8(ascii: ":") {
        after += 1
      }
      guard after < text.count, text[after] == UInt8(ascii: "[") else { continue }
      return elements(from: after, in: text)
    }
    return []
  }

  private static func elements(from start: Int, in text: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var scan = Scan(text, at: start)
    var first = start + 1
    while let place = scan.next() {
      let isEnd = scan.depth == 0 && text[place] == UInt8(ascii: "]")
      guard isEnd || (scan.depth == 1 && text[place] == UInt8(ascii: ",")) else { continue }
      let element = trimmed(text[first..<place])
      if !element.isEmpty { found.append(element) }
      first = place + 1
      if isEnd { break }
    }
    return found
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }
    return end.map { start[...$0] } ?? start.prefix(0)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// Goes over what is not inside a string.
  private struct Scan {
    private let text: [UInt8]
    private var place: Int
    /// How many lists and objects are open.
    private(set) var depth = 0

    init(_ text: [UInt8], at place: Int = 0) { (self.text, self.place) = (text, place) }

    /// The next bracket, comma, or first quote of a string; `depth` is that behind it.
    mutating func next() -> Int? {
      while place < text.count {
        defer { place += 1 }
        switch text[place] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          return place
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          return place
        case UInt8(ascii: ","): return place
        case UInt8(ascii: "\""):
          let start = place
          skipString()
          return start
        default: break
        }
      }
      return nil
    }

    private mutating func skipString() {
      place += 1
      while place < text.count, text[place] != UInt8(ascii: "\"") {
        place += text[place] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
  }
}
