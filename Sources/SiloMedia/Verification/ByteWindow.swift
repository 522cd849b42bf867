import SiloSystem

/// Small reads here and there in a long source: one page is held at a time.
final class ByteWindow {
  /// What reads that follow each other share.
  private static let pageByteCount = 4096

  private let source: any ByteSource
  private let cancel: CancellationFlag
  private var page: [UInt8] = []
  private var start: Int64 = 0
  /// The length of the source.
  let byteCount: Int64

  /// A window onto `source`; a source of unknown length has no end.
  init(_ source: any ByteSource, cancel: CancellationFlag) {
    self.source = source
    self.cancel = cancel
    byteCount = source.byteCount ?? .max
  }

  /// Up to `count` bytes at `offset`, fewer at the end; `isAlone` when nothing near them will be read.
  func bytes(at offset: Int64, _ count: Int, isAlone: Bool = false) throws -> ArraySlice<UInt8> {
    let end = min(byteCount, offset.addingReportingOverflow(Int64(count)).partialValue)
    guard offset >= 0, offset < end else { return [] }
    if offset < start || end > start + Int64(page.count) {
      try cancel.check()
      let last = min(byteCount, offset + Int64(isAlone ? count : max(count, Self.pageByteCount)))
      page = try source.bytes(offset..<last)
      start = offset
    }
    let from = Int(offset - start)
    return page[from..<min(page.count, from + Int(end - offset))]
  }

  /// Whether `count` bytes at `offset` are all zero; the end of the source is not.
  func isZero(at offset: Int64, _ count: Int) throws -> Bool {
    let found = try bytes(at: offset, count)
    return !found.isEmpty && found.allSatisfy { $0 == 0 }
  }
}
