/// Whether the elements of a Matroska file, and the blocks of its clusters, chain to its end (RFC 9559, 5.1).
struct MatroskaCheck {
  private static let topLevel: Set<UInt32> = [
    0x114D_9B74, 0x1549_A966, 0x1654_AE6B, 0x1043_A770, 0x1254_C367, 0x1C53_BB6B, 0x1941_A469,
    cluster, 0xEC, 0xBF,
  ]
  private static let cluster: UInt32 = 0x1F43_B675
  private static let inCluster: Set<UInt32> = [
    0xE7, 0x5854, 0xA7, 0xAB, 0xA3, 0xA0, 0xAF, 0xEC, 0xBF,
  ]

  private let window: ByteWindow

  init(_ window: ByteWindow) { self.window = window }

  /// The first fault, if there is one.
  func faults() throws -> [MediaFault] {
    let length = window.byteCount
    guard let header = EBMLElement.Header(try window.bytes(at: 0, 12)),
      let size = header.payloadByteCount, size < length
    else { return [MediaFault(.damaged, "The file has no EBML header.", at: 0)] }
    var offset = Int64(header.headerByteCount) + size
    guard let segment = EBMLElement.Header(try window.bytes(at: offset, 12)),
      segment.id == 0x1853_8067
    else { return [MediaFault(.damaged, "The file has no segment.", at: offset)] }
    offset += Int64(segment.headerByteCount)
    if let size = segment.payloadByteCount, size > length - offset {
      let missing = size - (length - offset)
      return [
        MediaFault(.cut, "The file ends \(missing) bytes before its segment does; fetch it again.")
      ]
    }
    let end = segment.payloadByteCount.map { offset + $0 } ?? length
    return try walk(from: offset, to: end)
  }

  private func walk(from start: Int64, to end: Int64) throws -> [MediaFault] {
    var offset = start
    var clusterCount = 0
    while offset < end {
      guard let header = EBMLElement.Header(try window.bytes(at: offset, 12)) else {
        return [try broken(at: offset)]
      }
      let body = offset + Int64(header.headerByteCount)
      if header.id == Self.cluster { clusterCount += 1 }
      guard let size = header.payloadByteCount else {
        // A cluster of unknown size: its children follow as if they were elements of this level.
        guard header.id == Self.cluster else { return [try broken(at: offset)] }
        offset = body
        continue
      }
      guard Self.topLevel.contains(header.id) || Self.inCluster.contains(header.id) else {
        return [try broken(at: offset)]
      }
      guard size <= end - body else {
        return [MediaFault(.cut, "The file ends inside of an element; fetch it again.", at: offset)]
      }
      if header.id == Self.cluster, let fault = try fault(inCluster: body, to: body + size) {
        return [fault]
      }
      offset = body + size
    }
    return clusterCount > 0 ? [] : [MediaFault(.cut, "The file has no media in it.")]
  }

  private func fault(inCluster start: Int64, to end: Int64) throws -> MediaFault? {
    var offset = start
    while offset < end {
      guard let header = EBMLElement.Header(try window.bytes(at: offset, 12)),
        let size = header.payloadByteCount, Self.inCluster.contains(header.id)
      else { return try broken(at: offset) }
      let body = offset + Int64(header.headerByteCount)
      guard size <= end - body else { return try broken(at: offset) }
      offset = body + size
    }
    return nil
  }

  private func broken(at offset: Int64) throws -> MediaFault {
    try window.isZero(at: offset, 64)
      ? MediaFault(
        .zeros, "The file goes on with zeros instead of media; fetch it again.", at: offset)
      : MediaFault(
        .damaged, "There is no element where one should start; fetch it again.", at: offset)
  }
}
