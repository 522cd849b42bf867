import SiloMedia
import SiloSystem

import struct Foundation.URL

/// One piece of a spool: a segment, or an init section before the first segment that needs it.
struct SpoolPart: Hashable, Sendable {
  /// The index in the playlist; `nil` for an init section.
  var segment: Int?
  var url: URL
  var byteRange: Range<Int64>?
  /// The AES-128 key; `nil` when the part is clear.
  var key: SegmentKey?
  var vector: [UInt8] = []
  /// The part that is its init section.
  var initPart: Int?
  /// What it is, without what changes from run to run: a digest over sequence number, path, range, key, IV, init section.
  var identity: String = ""
  var start: Duration
  var duration: Duration
}

/// One request: a part, or neighbours in one resource.
struct SpoolJob: Hashable, Sendable {
  var parts: Range<Int>
  var url: URL
  var byteRange: Range<Int64>?
}

/// Which parts one rendition's spool has, in order, and by which requests they are fetched.
struct SpoolPlan: Sendable {
  let name: String
  let form: RenditionSpool.Form
  let segments: [MediaSegment]
  private(set) var parts: [SpoolPart] = []
  private(set) var gaps: [SegmentGap] = []

  /// The most bytes that neighbouring ranges are joined to.
  static let joinedByteCount: Int64 = 2 << 20

  /// - Throws: `DownloadError`: `integrity` for a gap unless `allowsGaps`, `unsupported` for an encryption that is not
  ///   AES-128.
  init(_ request: RenditionRequest, allowsGaps: Bool) throws(DownloadError) {
    name = request.name
    form = request.form
    segments = request.segments
    var initParts: [InitSection: Int] = [:]
    for (index, segment) in segments.enumerated() {
      if segment.isGap {
        guard allowsGaps else {
          throw DownloadError(
            .integrity, "The playlist declares \(place(ofSegment: index)) a gap: it cannot be had.",
            subject: name)
        }
        gaps.append(
          SegmentGap(
            rendition: name, mediaSequence: segment.mediaSequence, start: segment.start,
            duration: segment.duration))
        continue
      }
      var initPart: Int?
      if let section = segment.initSection {
        if initParts[section] == nil {
          initParts[section] = parts.count
          parts.append(try part(of: section, before: segment))
        }
        initPart = initParts[section]
      }
      parts.append(try part(of: segment, index, initPart))
    }
  }

  private func part(
    of section: InitSection, before segment: MediaSegment
  ) throws(DownloadError) -> SpoolPart {
    let key = try key(section.key, among: section.keys)
    let vector = key?.explicitIV ?? []
    var part = SpoolPart(
      url: section.url, byteRange: section.byteRange, key: key, vector: vector,
      start: segment.start, duration: .zero)
    part.identity = identity(part, sequence: "init", section: "")
    return part
  }

  private func part(
    of segment: MediaSegment, _ index: Int, _ initPart: Int?
  ) throws(DownloadError) -> SpoolPart {
    let key = try key(segment.key, among: segment.keys)
    var part = SpoolPart(
      segment: index, url: segment.url, byteRange: segment.byteRange, key: key,
      vector: key?.initializationVector(mediaSequence: segment.mediaSequence) ?? [],
      initPart: initPart, start: segment.start, duration: segment.duration)
    part.identity = identity(
      part, sequence: String(segment.mediaSequence),
      section: initPart.map { parts[$0].identity } ?? "")
    return part
  }

  private func key(
    _ plain: SegmentKey?, among keys: [SegmentKey]
  ) throws(DownloadError) -> SegmentKey? {
    guard let key = plain ?? keys.first else { return nil }
    guard key.isPlain, key.method == .aes128 else {
      throw DownloadError(
        .unsupported,
        "The segments are encrypted by \(key.drmSystem ?? "a method other than AES-128"), which is not supported.",
        subject: name)
    }
    return key
  }

  // Tokens are left out, and the host, which changes with the delivery network.
  private func identity(_ part: SpoolPart, sequence: String, section: String) -> String {
    let range = part.byteRange.map { "\($0.lowerBound)-\($0.upperBound)" } ?? ""
    let key =
      part.key.map {
        ($0.url.map { $0.path(percentEncoded: true) + ResourceIdentity.query(of: $0) } ?? "")
          + Digest.hex($0.inlineBytes ?? [])
      } ?? ""
    let text = [
      sequence, part.url.path(percentEncoded: true), ResourceIdentity.query(of: part.url), range,
      key, Digest.hex(part.vector), section,
    ].joined(separator: "\n")
    // SHA-256 is never missing; the text itself would do as well.
    return (try? Digest.hex(of: Array(text.utf8))) ?? text
  }

  /// The requests for parts, which are given in order.
  func jobs(of indices: some Sequence<Int>) -> [SpoolJob] {
    var jobs: [SpoolJob] = []
    for index in indices {
      let part = parts[index]
      if let last = jobs.last, let range = part.byteRange, let before = last.byteRange,
        last.parts.upperBound == index, last.url == part.url, before.upperBound == range.lowerBound,
        range.upperBound - before.lowerBound <= Self.joinedByteCount
      {
        jobs[jobs.count - 1] = SpoolJob(
          parts: last.parts.lowerBound..<(index + 1), url: last.url,
          byteRange: before.lowerBound..<range.upperBound)
      } else {
        jobs.append(SpoolJob(parts: index..<(index + 1), url: part.url, byteRange: part.byteRange))
      }
    }
    return jobs
  }

  /// Whether a request brings more than an init section.
  func hasSegment(_ job: SpoolJob) -> Bool { job.parts.contains { parts[$0].segment != nil } }

  /// Where a part is, in words: "segment 7 of 12 (media sequence 6, 12.0–14.0 s)".
  func place(of part: Int) -> String {
    guard let index = parts[part].segment else {
      return "the init section at \(Self.text(parts[part].start)) s"
    }
    return place(ofSegment: index)
  }

  private func place(ofSegment index: Int) -> String {
    let segment = segments[index]
    let end = segment.start + segment.duration
    return "segment \(index + 1) of \(segments.count) (media sequence \(segment.mediaSequence), "
      + "\(Self.text(segment.start))–\(Self.text(end)) s)"
  }

  private static func text(_ time: Duration) -> String {
    let tenths = Int((time.seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
