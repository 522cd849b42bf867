/// What an MP4's index says of one track: ISO/IEC 14496-12, 8.3 to 8.7.
struct MP4Track {
  /// The track's number.
  var id: UInt32 = 0
  /// What it carries: `vide`, `soun`, `text`, `sbtl`, `subt`, `clcp`, `meta`.
  var handler = ""
  /// The name of the first sample entry: `avc1`.
  var entry = ""
  /// The scheme of common encryption: `cenc`, `cbcs`; `nil` when the track is clear.
  var encryptionScheme: String?
  /// Ticks a second.
  var timescale: UInt32 = 0
  /// The number of samples in the index.
  var sampleCount: Int64 = 0
  /// The bytes of the samples in the index.
  var byteCount: Int64 = 0
  /// The ticks of the samples in the index.
  var ticks: Int64 = 0
  /// Bits a second that the configuration declares on average (`btrt`, `esds`).
  var declaredBitsPerSecond: Int?
  /// The tracks that hold its chapters.
  var chapterTracks: [UInt32] = []
  /// Accessibility characteristics: `public.accessibility.describes-video`.
  var characteristics: [String] = []
  /// The title in the track's user data, which libavformat drops.
  var title: String?
  /// The language as a BCP-47 tag (`elng`), or `nil` when the index has only the three-letter one.
  var extendedLanguage: String?
  /// The sample tables, for the walk to the samples.
  var sampleTable: MP4Box?

  /// How long the samples in the index play.
  var duration: Duration? {
    timescale > 0 && ticks > 0 ? TimeBase(1, Int32(clamping: timescale)).duration(of: ticks) : nil
  }

  /// Samples a second, on average.
  var samplesPerSecond: Double? {
    guard timescale > 0, ticks > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(ticks)
  }

  /// Reads a `trak` box; fields that are missing or cut stay empty.
  init(_ trak: MP4Box) {
    id = Self.id(trak.child("tkhd"))
    let media = trak.child("mdia")
    timescale = Self.timescale(media?.child("mdhd"))
    if let handlerBox = media?.child("hdlr") {
      handler = String(decoding: handlerBox.payload.dropFirst(8).prefix(4), as: UTF8.self)
    }
    if let tag = media?.child("elng")?.payload.dropFirst(4).prefix(while: { $0 != 0 }), !tag.isEmpty
    {
      extendedLanguage = String(decoding: tag, as: UTF8.self)
    }
    sampleTable = media?.descendant("minf", "stbl")
    readEntry(sampleTable?.child("stsd"))
    readSizes()
    readTimes(sampleTable?.child("stts"))
    if let chapters = trak.descendant("tref", "chap") {
      var cursor = ByteCursor(chapters.payload)
      while let id = try? cursor.u32() { chapterTracks.append(id) }
    }
    for box in trak.child("udta")?.children ?? [] {
      let text = String(decoding: box.payload.prefix { $0 != 0 }, as: UTF8.self)
      switch box.type {
      case "tagc": characteristics.append(text)
      case "name" where !text.isEmpty: title = text
      default: break
      }
    }
  }

  private static func id(_ header: MP4Box?) -> UInt32 {
    guard let header, let version = header.payload.first else { return 0 }
    var cursor = ByteCursor(header.payload)
    guard (try? cursor.skip(version == 1 ? 20 : 12)) != nil else { return 0 }
    return (try? cursor.u32()) ?? 0
  }

  private static func timescale(_ header: MP4Box?) -> UInt32 {
    guard let header, let version = header.payload.first else { return 0 }
    var cursor = ByteCursor(header.payload)
    guard (try? cursor.skip(version == 1 ? 20 : 12)) != nil else { return 0 }
    return (try? cursor.u32()) ?? 0
  }

  private mutating func readEntry(_ description: MP4Box?) {
    guard let description, let first = MP4Box.list(description.payload.dropFirst(8)).first
    else { return }
    entry = first.type
    // The fields before the boxes of a sample entry: 78 bytes of pictures, 28 of sound, 8 of others.
    let fixed = handler == "vide" ? 78 : handler == "soun" ? 28 : 8
    let boxes = MP4Box.list(first.payload.dropFirst(fixed))
    if ["encv", "enca", "encs", "enct"].contains(entry) {
      let scheme = boxes.first { $0.type == "sinf" }?.child("schm")?.payload.dropFirst(4).prefix(4)
      encryptionScheme = scheme.map { String(decoding: $0, as: UTF8.self) } ?? "cenc"
    }
    if ["drms", "drmi", "drmt"].contains(entry) { encryptionScheme = "FairPlay" }
    if let rate = boxes.first(where: { $0.type == "btrt" }) {
      var cursor = ByteCursor(rate.payload.dropFirst(8))
      if let average = try? cursor.u32(), average > 0 { declaredBitsPerSecond = Int(average) }
    }
  }

  private mutating func readSizes() {
    if let box = sampleTable?.child("stsz") {
      var cursor = ByteCursor(box.payload.dropFirst(4))
      guard let same = try? cursor.u32(), let count = try? cursor.u32() else { return }
      sampleCount = Int64(count)
      byteCount = Int64(clamping: UInt64(same) * UInt64(count))
      guard same == 0 else { return }
      for _ in 0..<min(Int(count), cursor.rest / 4) {
        guard let size = try? cursor.u32() else { return }
        byteCount += Int64(size)
      }
    } else if let box = sampleTable?.child("stz2") {
      var cursor = ByteCursor(box.payload.dropFirst(7))
      guard let width = try? cursor.u8(), let count = try? cursor.u32() else { return }
      sampleCount = Int64(count)
      for index in 0..<Int(count) {
        if width == 4 {
          guard cursor.rest > 0 else { return }
          let at = cursor.position
          let both = box.payload[at]
          byteCount += Int64(index % 2 == 0 ? both >> 4 : both & 15)
          if index % 2 == 1 { try? cursor.skip(1) }
        } else {
          guard let size = try? cursor.number(width == 16 ? 2 : 1) else { return }
          byteCount += Int64(size)
        }
      }
    }
  }

  private mutating func readTimes(_ box: MP4Box?) {
    guard let box else { return }
    var cursor = ByteCursor(box.payload.dropFirst(4))
    guard let count = try? cursor.u32() else { return }
    for _ in 0..<min(Int(count), cursor.rest / 8) {
      guard let samples = try? cursor.u32(), let delta = try? cursor.u32() else { return }
      let (sum, overflow) = ticks.addingReportingOverflow(
        Int64(clamping: UInt64(samples) * UInt64(delta)))
      if overflow { return }
      ticks = sum
    }
  }
}
