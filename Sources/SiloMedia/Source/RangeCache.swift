/// Ranges of a source that were fetched whole, so that headers cost as few requests as possible.
///
/// Reads inside of what is held are free; others fetch a block. Used by one thread.
final class RangeCache {
  private let source: any ByteSource
  private var held: [(range: Range<Int64>, bytes: [UInt8])] = []
  private let byteBudget: Int64
  /// The bytes that were asked of the source.
  private(set) var fetchedByteCount: Int64 = 0
  /// How often the source was asked.
  private(set) var fetchCount = 0

  /// A cache that fetches at most `byteBudget` bytes.
  init(_ source: any ByteSource, byteBudget: Int64) {
    self.source = source
    self.byteBudget = byteBudget
  }

  /// The length of the source.
  var byteCount: Int64? { source.byteCount }

  /// Fetches all of `range`, or less at the end of the source, in one request.
  ///
  /// - Parameter isHeld: Whether it will be asked for again.
  func fetch(_ range: Range<Int64>, isHeld: Bool = true) throws -> [UInt8] {
    let end = byteCount.map { min(range.upperBound, $0) } ?? range.upperBound
    guard range.lowerBound >= 0, range.lowerBound < end else { return [] }
    if let bytes = lookUp(range.lowerBound..<end) { return bytes }
    let (total, overflow) = fetchedByteCount.addingReportingOverflow(end - range.lowerBound)
    guard !overflow, total <= byteBudget else {
      throw MediaError(
        .corrupt,
        "Its headers need more than \(byteBudget) bytes, which no sound file does; fetch it again.")
    }
    fetchedByteCount = total
    fetchCount += 1
    let bytes = try source.bytes(range.lowerBound..<end)
    if isHeld { held.append((range.lowerBound..<range.lowerBound + Int64(bytes.count), bytes)) }
    return bytes
  }

  /// The bytes of `range` when they are held.
  func lookUp(_ range: Range<Int64>) -> [UInt8]? {
    for entry in held
    where entry.range.lowerBound <= range.lowerBound && range.upperBound <= entry.range.upperBound {
      let start = Int(range.lowerBound - entry.range.lowerBound)
      return Array(entry.bytes[start..<start + range.count])
    }
    return nil
  }

  /// Everything that is held from `start` on without a gap; empty when that is nothing.
  func held(from start: Int64) -> [UInt8] {
    guard let entry = held.first(where: { $0.range.contains(start) }) else { return [] }
    return Array(entry.bytes[Int(start - entry.range.lowerBound)...])
  }

  /// All of `range`: what is held at its start is not asked for again.
  func bytes(_ range: Range<Int64>) throws -> [UInt8] {
    let end = byteCount.map { min(range.upperBound, $0) } ?? range.upperBound
    guard range.lowerBound < end else { return [] }
    for entry in held where entry.range.contains(range.lowerBound) && entry.range.upperBound < end {
      let start = Int(range.lowerBound - entry.range.lowerBound)
      return Array(entry.bytes[start...]) + (try fetch(entry.range.upperBound..<end))
    }
    return try fetch(range.lowerBound..<end)
  }
}

extension ByteSource {
  /// The bytes of `range`, fewer at the end of the source.
  func bytes(_ range: Range<Int64>) throws -> [UInt8] {
    willRead(range)
    var failure: (any Error)?
    let all = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = 0
      while count < range.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        var span = rest.mutableBytes
        do {
          let read = try self.read(at: range.lowerBound + Int64(count), into: &span)
          if read <= 0 { return }
          count += read
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    return all
  }
}
