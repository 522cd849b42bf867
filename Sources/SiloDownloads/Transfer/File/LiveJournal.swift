import Glibc
import SiloSystem

/// What was written since the last mark, byte for byte, in a small file beside the journal.
///
/// It is never synced: it tells a run after a kill what the page cache still has, and nothing after the machine started anew.
struct LiveJournal: ~Copyable {
  private static let headByteCount: Int64 = 32
  private static let rowByteCount: Int64 = 16
  /// As much as 65,536 pieces.
  private static let longest = 1 << 20

  private let descriptor: OwnedDescriptor
  private var isStamped = false
  private var rows: [Int: Row] = [:]
  private var rowCount: Int64 = 0

  private struct Row {
    let index: Int64
    let start: Int64
    var end: Int64
  }

  /// Opens the file at `path`, or makes it.
  init(_ path: String) throws {
    descriptor = try OwnedDescriptor.open(path, .create)
  }

  /// What makes its rows those of a version of a source; `nil` when nothing tells versions apart.
  static func stamp(_ address: String, _ validators: HTTPValidators) throws -> [UInt8]? {
    guard let validator = validators.ifRange else { return nil }
    let total = validators.totalByteCount.map(String.init) ?? "?"
    let text = [SpoolFile.boot(), address, validator, total].joined(separator: "\n")
    var digest = try Digest(.sha256)
    digest.update(Array(text.utf8))
    return digest.finish()
  }

  /// The ranges that were written under this stamp.
  func restore(_ stamp: [UInt8]?) throws -> [Range<Int64>] {
    guard let stamp else { return [] }
    let bytes = try descriptor.read(at: 0, count: Self.longest)
    guard bytes.prefix(Int(Self.headByteCount)).elementsEqual(stamp) else { return [] }
    var ranges: [Range<Int64>] = []
    var offset = Int(Self.headByteCount)
    while offset + Int(Self.rowByteCount) <= bytes.count {
      let start = Self.number(bytes[offset..<offset + 8])
      let end = Self.number(bytes[offset + 8..<offset + 16])
      if start >= 0, end > start { ranges.append(start..<end) }
      offset += Int(Self.rowByteCount)
    }
    return ranges
  }

  /// Forgets every row, and takes rows under `stamp` from now on.
  mutating func startOver(_ stamp: [UInt8]?) throws {
    (rows, rowCount) = ([:], 0)
    try descriptor.truncate(to: 0)
    isStamped = false
    if let stamp { try descriptor.write(stamp, at: 0) }
    isStamped = stamp != nil
  }

  /// Notes that the claim `id` wrote `range`, after it is written.
  mutating func note(_ range: Range<Int64>, of id: Int) throws {
    guard isStamped else { return }
    if let row = rows[id], row.end == range.lowerBound {
      rows[id]?.end = range.upperBound
      let place = Self.headByteCount + row.index * Self.rowByteCount
      return try descriptor.write(Self.bytes(range.upperBound), at: place + 8)
    }
    let row = Row(index: rowCount, start: range.lowerBound, end: range.upperBound)
    rows[id] = row
    rowCount += 1
    let place = Self.headByteCount + row.index * Self.rowByteCount
    try descriptor.write(Self.bytes(row.start) + Self.bytes(row.end), at: place)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
