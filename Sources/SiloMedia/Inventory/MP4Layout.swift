import SiloSystem

/// Where the boxes of an MP4 lie, and its index, found with as few requests as possible.
struct MP4Layout {
  /// What is read where a box begins whose kind is not known yet.
  private static let jumpByteCount: Int64 = 64 << 10
  /// An end no longer than this is fetched at once.
  private static let tailByteCount: Int64 = 384 << 10
  /// An end that is short beside the media is fetched at once up to this length.
  private static let longestTail: Int64 = 16 << 20
  /// The longest index that is believed: ten hours of film stay under a tenth of it.
  private static let longestIndex: Int64 = 256 << 20

  /// More boxes than ten hours in fragments of a tenth of a second have.
  private static let mostBoxes = 1 << 20

  /// The `ftyp` box with its header, or empty.
  var brand: [UInt8] = []
  /// The `moov` box with its header.
  var moov: [UInt8] = []
  /// What the index says.
  var index = MP4Index([])
  /// When the last fragment ends, of a file whose fragments were not all read.
  var end: Duration?
  /// Whether the samples of all fragments are in the index.
  var hasAllFragments = false

  /// Walks the boxes of `cache`; with `readsAll`, every fragment as well.
  init(_ cache: RangeCache, bytes source: any ByteSource, readsAll: Bool, cancel: CancellationFlag)
    throws
  {
    try walk(cache, bytes: source, readsAll: readsAll, cancel: cancel)
    if index.isFragmented, !readsAll { try readLastFragment(cache) }
  }

  private mutating func walk(
    _ cache: RangeCache, bytes source: any ByteSource, readsAll: Bool, cancel: CancellationFlag
  ) throws {
    let length = cache.byteCount
    let window = readsAll ? ByteWindow(source, cancel: cancel) : nil
    var offset: Int64 = 0
    var boxCount = 0
    while let header = try Self.header(cache, window, at: offset, length: length) {
      boxCount += 1
      guard boxCount < Self.mostBoxes else { throw Self.endless }
      let (end, overflow) = offset.addingReportingOverflow(header.byteCount)
      let isCut = overflow || length.map { end > $0 } ?? false
      switch header.type {
      case "ftyp" where header.byteCount <= 4096: brand = try cache.bytes(offset..<end)
      case "moov":
        guard !isCut, header.byteCount <= Self.longestIndex else { throw Self.cut }
        moov = try cache.bytes(offset..<end)
        guard Int64(moov.count) == header.byteCount else { throw Self.cut }
        index = MP4Index(moov[header.headerByteCount...])
        if !index.isFragmented { return }
      case "moof" where header.byteCount <= Self.longestIndex && !isCut:
        if !readsAll && cache.lookUp(offset..<end) == nil { return }
        let moof =
          try readsAll ? source.bytes(offset..<end) : cache.bytes(offset..<end)
        index.add(fragment: moof.dropFirst(header.headerByteCount))
      default: break
      }
      if isCut {
        if moov.isEmpty { throw Self.cut }
        return
      }
      offset = end
      if !moov.isEmpty, !readsAll, cache.lookUp(offset..<offset + 16) == nil { return }
    }
    if moov.isEmpty { throw Self.cut }
    hasAllFragments = readsAll
  }

  private static let endless = MediaError(
    .corrupt, "The file has more boxes than any sound one; fetch it again from its source.")

  private static let cut = MediaError(
    .corrupt,
    "The file ends before its index (no whole moov box): it is cut or was never finished. Fetch it again from its source."
  )

  /// The header of the box at `offset`; `nil` at the end of the boxes.
  private static func header(
    _ cache: RangeCache, _ page: ByteWindow?, at offset: Int64, length: Int64?
  ) throws
    -> MP4Box.Header?
  {
    guard offset < 1 << 60, length.map({ offset + 8 <= $0 }) ?? true else { return nil }
    let want = length.map { min(16, $0 - offset) } ?? 16
    var bytes = cache.lookUp(offset..<offset + want)
    if bytes == nil, let page {
      bytes = Array(try page.bytes(at: offset, Int(want)))
    } else if bytes == nil {
      let rest = length.map { $0 - offset } ?? .max
      // Nothing but the index is so short beside the media.
      let isIndex = length.map { rest <= min($0 / 32, longestTail) } ?? false
      let window = rest <= tailByteCount || isIndex ? rest : jumpByteCount
      bytes = Array(try cache.fetch(offset..<offset + window).prefix(16))
    }
    guard let bytes, let header = MP4Box.Header(bytes[...], available: length.map { $0 - offset }),
      header.type.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 })
    else { return nil }
    return header
  }

  /// The container's short name, by its major brand.
  var container: String {
    let major = String(decoding: brand.dropFirst(8).prefix(4), as: UTF8.self)
    return major == "qt  " || brand.isEmpty ? "mov" : "mp4"
  }

  /// What libav needs to tell the tracks: the file without its media.
  var headers: [UInt8] { brand + moov }
}
