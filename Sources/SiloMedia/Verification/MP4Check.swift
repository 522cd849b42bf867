/// Whether the boxes of an MP4 reach its end and its samples lie in it.
struct MP4Check {
  private let window: ByteWindow

  init(_ window: ByteWindow) { self.window = window }

  /// The faults, at most a few: one is enough to fetch the file again.
  func faults() throws -> [MediaFault] {
    var offset: Int64 = 0
    var index: MP4Index?
    let length = window.byteCount
    while offset < length {
      let head = try window.bytes(at: offset, 16)
      guard let header = MP4Box.Header(head, available: length - offset),
        header.type.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 })
      else { return [try broken(at: offset)] }
      let (end, overflow) = offset.addingReportingOverflow(header.byteCount)
      if overflow || end > length {
        return [
          MediaFault(
            .cut, "The file ends inside of its \(header.type) box; fetch it again.", at: offset)
        ]
      }
      let body = offset + Int64(header.headerByteCount)
      switch header.type {
      case "moov":
        let moov = try window.bytes(at: offset, Int(clamping: header.byteCount))
        index = MP4Index(moov.dropFirst(header.headerByteCount))
      case "mdat" where index?.isFragmented == true && end - body >= 32:
        if try window.isZero(at: body, 32) {
          return [MediaFault(.zeros, "The media of a fragment is zeros; fetch it again.", at: body)]
        }
        if try window.isZero(at: end - 32, 32) {
          return [MediaFault(.zeros, "A fragment ends in zeros; fetch it again.", at: end - 32)]
        }
        if let index, let fault = try hole(in: body..<end, of: index) { return [fault] }
      default: break
      }
      offset = end
    }
    return try index?.tracks.compactMap(fault) ?? []
  }

  /// A stretch of zeros in a fragment; 4 KiB of them are longer than silence in any compressed frame.
  private func hole(in media: Range<Int64>, of index: MP4Index) throws -> MediaFault? {
    let isFree = index.tracks.contains {
      ["vide", "soun"].contains($0.handler) && !SampleForm($0).isCompressed
    }
    guard !isFree else { return nil }
    for offset in stride(from: media.lowerBound, to: media.upperBound - 4096, by: 64 << 10)
    where try window.isZero(at: offset, 4096) {
      return MediaFault(.zeros, "The media of a fragment is zeros; fetch it again.", at: offset)
    }
    return nil
  }

  private func broken(at offset: Int64) throws -> MediaFault {
    try window.isZero(at: offset, 64)
      ? MediaFault(
        .zeros, "The file goes on with zeros instead of media; fetch it again.", at: offset)
      : MediaFault(.damaged, "There is no box where one should start; fetch it again.", at: offset)
  }

  /// The first fault among the samples of a track.
  private func fault(in track: MP4Track) throws -> MediaFault? {
    let map = MP4SampleMap(track)
    let form = SampleForm(track)
    var last: MP4SampleMap.Chunk?
    for chunk in map {
      let (end, overflow) = chunk.offset.addingReportingOverflow(chunk.byteCount)
      if overflow || chunk.offset < 0 || end > window.byteCount {
        return MediaFault(
          .cut, "Samples of track \(track.id) lie behind the end of the file; fetch it again.",
          at: chunk.offset)
      }
      if let fault = try form.fault(window, chunk, track: track.id) { return fault }
      last = chunk
    }
    guard let last, form.isCompressed, last.byteCount >= 64 else { return nil }
    let tail = last.offset + last.byteCount - 16
    guard track.handler == "vide", try window.isZero(at: tail, 16) else { return nil }
    return MediaFault(.zeros, "The last samples of track \(track.id) are zeros.", at: tail)
  }
}

/// What the first bytes of a sample must look like.
private enum SampleForm {
  /// A length before each unit: H.264, HEVC, VVC.
  case units
  /// A sync word: AC-3, E-AC-3.
  case syncWord
  /// Compressed: not all zeros.
  case anything
  /// Zeros may be right: PCM, text.
  case free

  init(_ track: MP4Track) {
    switch track.entry {
    case "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "vvc1": self = .units
    case "ac-3", "ec-3": self = .syncWord
    case "mp4a", "fLaC", "Opus", "alac", "dtsc", "dtsh", "dtsl", "dtse", "mlpa", "av01", "vp09",
      "mp4v":
      self = .anything
    default: self = .free
    }
  }

  var isCompressed: Bool { self != .free }

  func fault(_ window: ByteWindow, _ chunk: MP4SampleMap.Chunk, track: UInt32) throws -> MediaFault?
  {
    guard self != .free, chunk.firstSampleByteCount >= 8 else { return nil }
    let start = try window.bytes(
      at: chunk.offset, Int(min(16, chunk.firstSampleByteCount)), isAlone: true)
    if start.allSatisfy({ $0 == 0 }) {
      return MediaFault(
        .zeros, "Samples of track \(track) are zeros; fetch the file again.", at: chunk.offset)
    }
    var cursor = ByteCursor(start)
    let isSound: Bool =
      switch self {
      case .units:
        (try? cursor.u32()).map { $0 > 0 && Int64($0) <= chunk.firstSampleByteCount } ?? false
      case .syncWord: (try? cursor.u16()) == 0x0B77
      case .anything, .free: true
      }
    return isSound
      ? nil
      : MediaFault(
        .damaged, "A sample of track \(track) does not start as one; fetch the file again.",
        at: chunk.offset)
  }
}
