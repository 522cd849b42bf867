/// One WebVTT document, which in HLS is one segment of a subtitle rendition (RFC 8216, 3.5).
public struct WebVTTDocument: Hashable, Sendable {
  /// X-TIMESTAMP-MAP: one moment on both clocks.
  public struct TimestampMap: Hashable, Sendable {
    /// On the clock of the cues.
    public var local: Duration
    /// On the 90 kHz clock of the media, 33 bits.
    public var mpegTS: Int64

    /// The moment that is `local` for the cues and `mpegTS` for the media.
    public init(local: Duration, mpegTS: Int64) {
      self.local = local
      self.mpegTS = mpegTS
    }
  }

  /// X-TIMESTAMP-MAP; `nil` when absent, which means that cue time 0 is media time 0.
  public var timestampMap: TimestampMap?
  /// The cues in the order of the document.
  public var cues: [WebVTTCue]
  /// What was tolerated.
  public var warnings: [PlaylistWarning]

  /// The largest document that is read, in bytes.
  public static let maximumByteCount = 64 << 20

  /// Reads a document: also with a byte order mark, any line ends, without header, with commas for dots.
  ///
  /// Comments, styles and regions are skipped; a cue that does not end after its start is left out with a warning. An empty
  /// document has no cues. One pass over the bytes.
  /// Throws `.malformed`, naming the line, when there is text and neither a header nor a cue.
  public static func parse(_ bytes: [UInt8]) throws(MediaError) -> WebVTTDocument {
    guard bytes.count <= maximumByteCount else {
      throw MediaError(.malformed, "the subtitles are larger than \(maximumByteCount) bytes")
    }
    var reader = WebVTTReader(bytes)
    return try reader.read()
  }
}

/// Reads the lines of a WebVTT document.
private struct WebVTTReader {
  private let lines: [ArraySlice<UInt8>]
  private var index = 0
  private var document = WebVTTDocument(timestampMap: nil, cues: [], warnings: [])
  private var warnings = PlaylistWarnings()

  init(_ bytes: [UInt8]) { lines = Self.lines(bytes) }

  mutating func read() throws(MediaError) -> WebVTTDocument {
    let hasHeader = readHeader()
    while index < lines.count { readBlock() }
    document.warnings = warnings.list
    if !hasHeader {
      let first = lines.indices.first { !lines[$0].trimmed.isEmpty }
      if let first, document.cues.isEmpty, document.timestampMap == nil {
        throw MediaError(
          .malformed,
          "line \(first + 1): these are no WebVTT subtitles: \(PlaylistText.quoted(lines[first]))")
      }
    }
    return document
  }

  private mutating func readHeader() -> Bool {
    guard let first = lines.first, first.starts(with: "WEBVTT".utf8) else {
      if !lines.isEmpty { warnings.warn(1, "the WEBVTT header is missing") }
      return false
    }
    index = 1
    while index < lines.count, !lines[index].isEmpty, Self.arrowIndex(lines[index]) == nil {
      readMap(lines[index])
      index += 1
    }
    return true
  }

  private mutating func readBlock() {
    let line = lines[index]
    if line.trimmed.isEmpty {
      index += 1
    } else if Self.arrowIndex(line) != nil {
      readCue(id: nil)
    } else if index + 1 < lines.count, Self.arrowIndex(lines[index + 1]) != nil {
      index += 1
      readCue(id: String(decoding: line, as: UTF8.self))
    } else {
      // A comment, a style, a region, a map that came late, or nothing known: all end at an empty line or a cue.
      while index < lines.count, !lines[index].isEmpty, Self.arrowIndex(lines[index]) == nil {
        readMap(lines[index])
        index += 1
      }
    }
  }

  private mutating func readCue(id: String?) {
    let (number, line) = (index + 1, lines[index])
    index += 1
    var text: [String] = []
    while index < lines.count, !lines[index].isEmpty, Self.arrowIndex(lines[index]) == nil {
      text.append(String(decoding: lines[index], as: UTF8.self))
      index += 1
    }
    guard let arrow = Self.arrowIndex(line) else { return }
    let left = line[line.startIndex..<arrow].trimmed
    let right = line[(arrow + 3)...].trimmed
    let mark = right.firstIndex { $0 == 0x20 || $0 == 0x09 } ?? right.endIndex
    guard let start = Self.time(left), let end = Self.time(right[right.startIndex..<mark]) else {
      warnings.warn(number, "a cue whose times cannot be read is left out")
      return
    }
    guard end > start else {
      warnings.warn(number, "a cue that does not end after its start is left out")
      return
    }
    let settings = right[mark...].trimmed
    document.cues.append(
      WebVTTCue(
        start: start, end: end, id: id,
        settings: settings.isEmpty ? nil : String(decoding: settings, as: UTF8.self),
        text: text.joined(separator: "\n")))
  }

  /// X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000, in either order.
  private mutating func readMap(_ line: ArraySlice<UInt8>) {
    let name = "X-TIMESTAMP-MAP"
    guard line.starts(with: name.utf8), document.timestampMap == nil else { return }
    var (local, ticks): (Duration?, Int64?)
    let value = line.dropFirst(name.utf8.count).drop { $0 == 0x3D || $0 == 0x3A || $0 == 0x20 }
    for part in value.split(separator: 0x2C) {
      let part = part.trimmed
      if part.starts(with: "LOCAL:".utf8) { local = Self.time(part.dropFirst(6).trimmed) }
      if part.starts(with: "MPEGTS:".utf8) {
        ticks = PlaylistNumber.integer(part.dropFirst(7).trimmed)
      }
    }
    if let local, let ticks {
      document.timestampMap = .init(local: local, mpegTS: ticks & ((1 << 33) - 1))
    } else {
      warnings.warn(index + 1, "X-TIMESTAMP-MAP cannot be read")
    }
  }

  /// `[hours:]minutes:seconds[.fraction]`, also with a comma.
  private static func time(_ text: ArraySlice<UInt8>) -> Duration? {
    let mark = text.firstIndex { $0 == 0x2E || $0 == 0x2C } ?? text.endIndex
    let parts = text[text.startIndex..<mark].split(
      separator: 0x3A, omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var whole: Int64 = 0
    for part in parts {
      guard let value = PlaylistNumber.integer(part), value < 1_000_000 else { return nil }
      whole = whole * 60 + value
    }
    let digits = text[mark...].dropFirst()
    guard digits.isEmpty || PlaylistNumber.integer(digits.prefix(9)) != nil else { return nil }
    var nanoseconds: Int64 = 0
    var unit: Int64 = 100_000_000
    for digit in digits.prefix(9) {
      nanoseconds += Int64(digit - 0x30) * unit
      unit /= 10
    }
    return .seconds(whole) + .nanoseconds(nanoseconds)
  }

  private static func arrowIndex(_ line: ArraySlice<UInt8>) -> Int? {
    var index = line.startIndex
    while index + 2 < line.endIndex {
      if line[index] == 0x2D, line[index + 1] == 0x2D, line[index + 2] == 0x3E { return index }
      index += 1
    }
    return nil
  }

  /// The lines, empty ones included, without a byte order mark.
  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var out: [ArraySlice<UInt8>] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var index = start
    while index < bytes.count {
      if bytes[index] == 0x0A || bytes[index] == 0x0D {
        out.append(bytes[start..<index])
        if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    if start < bytes.count { out.append(bytes[start...]) }
    return out
  }
}
