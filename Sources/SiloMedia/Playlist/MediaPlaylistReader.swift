import struct Foundation.Date
import struct Foundation.URL

/// Reads the lines of a media playlist: what stands before a URI line describes the segment that it names.
struct MediaPlaylistReader {
  var draft: PlaylistDraft
  var segments: [MediaSegment] = []
  var keySightings: [KeySighting] = []
  var dateRanges: [PlaylistDateRange] = []
  var kind: MediaPlaylist.Kind?
  var hasEnd = false
  var isIFramesOnly = false
  var targetDuration: Duration?
  var mediaSequence = 0
  var discontinuity = 0
  var position = Duration.zero

  // What applies until it is replaced.
  var keys: [SegmentKey] = []
  var initSection: InitSection?
  var bitsPerSecond: Int?
  /// Where the sub-range of the previous segment ended.
  var previousEnd: (url: URL, offset: Int64)?

  /// The last URI line and what it meant.
  private var previousReference: (bytes: ArraySlice<UInt8>, url: URL)?

  // What applies to the next segment only.
  var duration: Duration?
  var hasDuration = false
  var title: String?
  var byteRange: (line: PlaylistLine, length: Int64, offset: Int64?)?
  var isGap = false
  var date: Date?

  /// Reads `text`, whose kind is known.
  static func read(
    _ text: PlaylistLines, _ draft: inout PlaylistDraft
  ) throws(MediaError) -> MediaPlaylist {
    var reader = MediaPlaylistReader(draft: draft)
    reader.readAhead(text)
    reader.segments.reserveCapacity(min(text.lines.count / 2, Playlist.maximumEntryCount))
    for line in text.lines {
      if line.isTag {
        try reader.readTag(line)
      } else if !line.isComment {
        try reader.readReference(line)
      }
    }
    return try reader.finished(text)
  }

  private init(draft: PlaylistDraft) { self.draft = draft }

  /// A segment without a duration borrows the target duration, wherever that stands.
  private mutating func readAhead(_ text: PlaylistLines) {
    let name = Array("#EXT-X-TARGETDURATION:".utf8)
    for line in text.lines where line.bytes.hasPrefix(name) {
      let value = line.bytes.dropFirst(name.count).trimmed
      guard let (found, length) = PlaylistNumber.duration(value), found > .zero else {
        draft.warnings.warn(line.number, "EXT-X-TARGETDURATION is no number of seconds")
        continue
      }
      if length < value.count || value.contains(0x2E) {
        draft.warnings.note(line.number, "EXT-X-TARGETDURATION is no whole number")
      }
      targetDuration = found
    }
  }

  private mutating func readReference(_ line: PlaylistLine) throws(MediaError) {
    let url: URL
    // Byte ranges name one resource over and over.
    if let last = previousReference, last.bytes == line.bytes {
      url = last.url
    } else {
      url = try draft.resolve(uriLine: line, "the segment")
    }
    previousReference = (line.bytes, url)
    let range = try byteRange(of: url, line)
    let length = try segmentDuration(line)
    guard segments.count < Playlist.maximumEntryCount else {
      throw draft.error(line, "there are more than \(Playlist.maximumEntryCount) segments")
    }
    let (number, overflow) = mediaSequence.addingReportingOverflow(segments.count)
    guard !overflow else { throw draft.error(line, "the media sequence number is too large") }
    segments.append(
      MediaSegment(
        url: url, byteRange: range, mediaSequence: number, discontinuity: discontinuity,
        start: position, duration: length, title: title, initSection: initSection, keys: keys,
        isGap: isGap, programDateTime: date, bitsPerSecond: range == nil ? bitsPerSecond : nil,
        line: line.number))
    position += length
    previousEnd = range.map { (url, $0.upperBound) }
    (duration, hasDuration, title, byteRange, isGap, date) = (nil, false, nil, nil, false, nil)
  }

  private mutating func segmentDuration(_ line: PlaylistLine) throws(MediaError) -> Duration {
    if let duration { return duration }
    guard let targetDuration else {
      throw draft.error(line, "the segment has no duration, and there is no target duration")
    }
    // An I-frame playlist in which nothing has a duration, or one EXTINF that was lost.
    draft.warnings.warn(
      line.number,
      hasDuration
        ? "EXTINF without a number: the target duration is assumed"
        : "a segment without EXTINF: the target duration is assumed")
    return targetDuration
  }

  /// The sub-range of the next segment (RFC 8216, 4.3.2.2): without an offset it continues the previous one.
  private func byteRange(of url: URL, _ line: PlaylistLine) throws(MediaError) -> Range<Int64>? {
    guard let (tag, length, offset) = byteRange else { return nil }
    let low: Int64
    if let offset {
      low = offset
    } else {
      guard let previousEnd, previousEnd.url == url else {
        throw draft.error(
          tag, "EXT-X-BYTERANGE has no offset and nothing to continue from in the same resource")
      }
      low = previousEnd.offset
    }
    let (high, overflow) = low.addingReportingOverflow(length)
    guard !overflow else { throw draft.error(tag, "EXT-X-BYTERANGE ends beyond any file") }
    return low..<high
  }

  private mutating func finished(_ text: PlaylistLines) throws(MediaError) -> MediaPlaylist {
    guard !segments.isEmpty else {
      throw draft.error("line \(text.count): the playlist ends without a segment")
    }
    if hasDuration || byteRange != nil {
      draft.warnings.warn(text.count, "the last tags describe a segment that does not follow")
    }
    let longest = segments.lazy.map(\.duration).max() ?? .zero
    if targetDuration == nil {
      draft.warnings.warn(1, "EXT-X-TARGETDURATION is missing: the longest segment is taken")
    }
    if !hasEnd && kind == .vod {
      draft.warnings.warn(text.count, "EXT-X-ENDLIST is missing from a VOD playlist")
    }
    return MediaPlaylist(
      url: draft.url, version: draft.version, targetDuration: targetDuration ?? longest,
      kind: kind,
      completeness: hasEnd ? .ended : kind == .vod ? .promised : .growing,
      isIFramesOnly: isIFramesOnly, isIndependent: draft.isIndependent, segments: segments,
      keySightings: keySightings, dateRanges: dateRanges, start: draft.start,
      warnings: draft.warnings.list)
  }
}
