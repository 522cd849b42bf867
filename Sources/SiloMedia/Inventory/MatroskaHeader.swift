/// The headers of a Matroska or WebM file, found with as few requests as possible (RFC 9559).
struct MatroskaHeader {
  private static let jumpByteCount: Int64 = 64 << 10
  private static let tailByteCount: Int64 = 384 << 10
  private static let longestElement: Int64 = 16 << 20

  private enum ID {
    static let header: UInt32 = 0x1A45_DFA3
    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let info: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let chapters: UInt32 = 0x1043_A770
    static let tags: UInt32 = 0x1254_C367
    static let cluster: UInt32 = 0x1F43_B675
    static let wanted: Set<UInt32> = [info, tracks, chapters, tags]
  }

  /// `matroska` or `webm`.
  private(set) var documentType = "matroska"
  /// The tracks in the order of the file.
  private(set) var tracks: [MatroskaTrack] = []
  /// The program that wrote the file; statistics of another program are stale.
  private(set) var writingApp: String?
  /// Seconds of a tick (TimestampScale).
  private(set) var tick = 0.001
  /// Where the first cluster starts, when that was seen.
  private(set) var firstCluster: Int64?
  private var found: [UInt32: [UInt8]] = [:]
  private var fileHeader: [UInt8] = []
  private var segmentStart: Int64 = 0
  private var seeks: [(id: UInt32, position: Int64)] = []

  /// Reads the headers from `cache`.
  init(_ cache: RangeCache) throws {
    let head = try cache.bytes(0..<MediaSource.openingByteCount)
    guard let header = EBMLElement.list(head[...]).first, header.id == ID.header,
      let segment = EBMLElement.Header(head[header.whole.endIndex...]), segment.id == ID.segment
    else { throw Self.cut }
    fileHeader = Array(header.whole)
    documentType = header.children.first { $0.id == 0x4282 }?.text ?? "matroska"
    segmentStart = Int64(header.whole.endIndex + segment.headerByteCount)
    try walk(cache, from: segmentStart, held: Int64(head.count))
    try followSeeks(cache)
    guard let list = found[ID.tracks] else { throw Self.cut }
    for element in EBMLElement.list(list[...]).flatMap(\.children) where element.id == 0xAE {
      tracks.append(MatroskaTrack(element))
    }
    if let info = found[ID.info], let app = EBMLElement.list(info[...]).first {
      writingApp = app.children.first { $0.id == 0x5741 }?.text
      if let scale = app.children.first(where: { $0.id == 0x2AD7B1 })?.number, scale > 0 {
        tick = Double(scale) * 1e-9
      }
    }
  }

  private static let cut = MediaError(
    .corrupt,
    "The file ends before its track list: it is cut or was never finished. Fetch it again from its source."
  )

  /// Reads the elements from `start` up to the first cluster, or up to the end of what is held.
  private mutating func walk(_ cache: RangeCache, from start: Int64, held: Int64) throws {
    var offset = start
    while offset < held {
      let window = try cache.bytes(offset..<min(held, offset + 16))
      guard let header = EBMLElement.Header(window[...]) else { return }
      if header.id == ID.cluster {
        firstCluster = offset
        return
      }
      guard let size = header.payloadByteCount else { return }
      let (end, overflow) = offset.addingReportingOverflow(size + Int64(header.headerByteCount))
      if overflow { return }
      if ID.wanted.contains(header.id) || header.id == ID.seekHead {
        if end > held, header.id != ID.tracks, header.id != ID.info { return }
        try keep(cache, header.id, offset..<end)
      }
      offset = end
    }
  }

  /// Keeps one element, fetching what is missing of it.
  private mutating func keep(_ cache: RangeCache, _ id: UInt32, _ range: Range<Int64>) throws {
    guard range.count <= Self.longestElement else {
      throw MediaError(.corrupt, "A header element is longer than any sound file has.")
    }
    let bytes = try cache.bytes(range)
    guard bytes.count == range.count else {
      if id == ID.tracks { throw Self.cut }
      return
    }
    if id == ID.seekHead {
      readSeeks(bytes)
    } else if found[id] == nil {
      found[id] = bytes
    }
  }

  private mutating func readSeeks(_ bytes: [UInt8]) {
    for seek in EBMLElement.list(bytes[...]).flatMap(\.children) where seek.id == 0x4DBB {
      let fields = seek.children
      guard let id = fields.first(where: { $0.id == 0x53AB })?.number,
        let position = fields.first(where: { $0.id == 0x53AC })?.number,
        let id = UInt32(exactly: id), let relative = Int64(exactly: position)
      else { continue }
      let (absolute, overflow) = segmentStart.addingReportingOverflow(relative)
      if !overflow, absolute < 1 << 60 { seeks.append((id, absolute)) }
    }
  }

  /// Fetches the wanted elements behind the head, those close to each other together.
  private mutating func followSeeks(_ cache: RangeCache) throws {
    let length = cache.byteCount ?? .max
    let open = { (seeks: [(id: UInt32, position: Int64)], found: [UInt32: [UInt8]]) in
      seeks.filter { ID.wanted.contains($0.id) && found[$0.id] == nil && $0.position < length - 2 }
        .sorted { $0.position < $1.position }
    }
    for seek in open(seeks, found) {
      if cache.lookUp(seek.position..<min(seek.position + 12, length)) == nil {
        let rest = length - seek.position
        _ = try cache.fetch(
          seek.position..<seek.position + (rest <= Self.tailByteCount ? rest : Self.jumpByteCount))
      }
      let window = try cache.bytes(seek.position..<min(seek.position + 12, length))
      guard let header = EBMLElement.Header(window[...]), header.id == seek.id,
        let size = header.payloadByteCount, size <= Self.longestElement
      else { continue }
      let end = seek.position + Int64(header.headerByteCount) + size
      if end <= length { try keep(cache, seek.id, seek.position..<end) }
    }
  }

  /// What libav needs to tell the tracks: the file without its media and its index.
  var headers: [UInt8] {
    var bytes =
      fileHeader + [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    for id in [ID.info, ID.tracks, ID.chapters, ID.tags] { bytes += found[id] ?? [] }
    // A cluster ends what libav takes for headers.
    return bytes + [0x1F, 0x43, 0xB6, 0x75, 0x83, 0xE7, 0x81, 0x00]
  }
}
