package import struct Foundation.URL

/// The segments of one HLS rendition in one spool file, which may still be growing.
///
/// What the playlist says is known from the start; where the bytes lie, as they arrive.
public struct RenditionInput: Sendable {
  /// One segment as the playlist has it.
  package struct Segment: Hashable, Sendable {
    /// Which part of the spool it is.
    package var part: Int
    /// The part that is its init section (EXT-X-MAP); `nil` when there is none.
    package var initPart: Int?
    /// The discontinuity sequence number.
    package var discontinuity: Int
    /// The media sequence number.
    package var mediaSequence: Int
    /// The sum of EXTINF of the segments before it in the playlist.
    package var start: Duration
    /// EXTINF.
    package var duration: Duration

    /// A segment that is the part `part` of its spool.
    package init(
      part: Int, initPart: Int?, discontinuity: Int, mediaSequence: Int, start: Duration,
      duration: Duration
    ) {
      self.part = part
      self.initPart = initPart
      self.discontinuity = discontinuity
      self.mediaSequence = mediaSequence
      self.start = start
      self.duration = duration
    }
  }

  /// The spool file.
  package var url: URL
  /// Where that is.
  package var path: String { url.path }
  /// What the segments hold.
  package var form: RenditionSpool.Form
  /// The segments in playlist order.
  package var segments: [Segment]
  /// Where the parts of the spool lie.
  package var table: SpoolTable
  /// Told of each segment's part that was read and will not be read again, on the thread that writes the file.
  package var passed: (@Sendable (_ part: Int) -> Void)?

  /// A rendition whose parts are, or will be, where `table` says.
  package init(url: URL, form: RenditionSpool.Form, segments: [Segment], table: SpoolTable) {
    self.url = url
    self.form = form
    self.segments = segments
    self.table = table
  }

  /// A spool in which everything is there.
  init(_ spool: RenditionSpool) {
    var ranges: [Range<Int64>] = []
    var sections: [Range<Int64>: Int] = [:]
    func part(_ range: Range<Int64>) -> Int {
      ranges.append(range)
      return ranges.count - 1
    }
    var segments: [Segment] = []
    for segment in spool.segments {
      if let section = segment.initSection, sections[section] == nil {
        sections[section] = part(section)
      }
      segments.append(
        Segment(
          part: part(segment.bytes), initPart: segment.initSection.flatMap { sections[$0] },
          discontinuity: segment.discontinuity, mediaSequence: segment.mediaSequence,
          start: segment.start, duration: segment.duration))
    }
    self.init(url: spool.url, form: spool.form, segments: segments, table: SpoolTable(ranges))
  }
}
