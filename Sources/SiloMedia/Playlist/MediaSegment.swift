public import struct Foundation.Date
public import struct Foundation.URL

/// One segment of a media playlist.
public struct MediaSegment: Hashable, Sendable {
  /// Where it is fetched.
  public var url: URL
  /// The bytes of the resource that are the segment; `nil` for the whole resource.
  public var byteRange: Range<Int64>?
  /// The media sequence number (RFC 8216, 3).
  public var mediaSequence: Int
  /// EXT-X-DISCONTINUITY-SEQUENCE plus the EXT-X-DISCONTINUITY tags before it.
  public var discontinuity: Int
  /// The sum of the durations before it in the playlist.
  public var start: Duration
  /// EXTINF.
  public var duration: Duration
  /// EXTINF's title.
  public var title: String?
  /// The section that must precede it (EXT-X-MAP); `nil` when there is none.
  public var initSection: InitSection?
  /// The keys of which any one decrypts it, one for each KEYFORMAT; empty when it is clear.
  public var keys: [SegmentKey]
  /// Whether there is nothing to fetch (EXT-X-GAP).
  public var isGap: Bool
  /// The date of its first sample.
  public var programDateTime: Date?
  /// EXT-X-BITRATE in bits a second; `nil` when absent or when the segment is a byte range, to which it does not apply.
  public var bitsPerSecond: Int?
  /// The line of its URI, from 1.
  public var line: Int

  /// The plain key among the alternatives; `nil` when the segment is clear or only DRM systems can use it.
  public var key: SegmentKey? { keys.first { $0.isPlain } }

  /// The 16 bytes of the IV under `key`; `nil` when the segment is clear.
  public var initializationVector: [UInt8]? {
    key?.initializationVector(mediaSequence: mediaSequence)
  }
}

/// A media initialisation section (RFC 8216, 4.3.2.5), which applies to every segment until the next.
public struct InitSection: Hashable, Sendable {
  /// Where it is fetched.
  public var url: URL
  /// The bytes of the resource that are the section; `nil` for the whole resource.
  public var byteRange: Range<Int64>?
  /// The keys of which any one decrypts it; an AES-128 key among them has an explicit IV.
  public var keys: [SegmentKey]

  /// The plain key among the alternatives; `nil` when the section is clear or only DRM systems can use it.
  public var key: SegmentKey? { keys.first { $0.isPlain } }
}

/// One EXT-X-DATERANGE (RFC 8216, 4.3.2.7).
public struct PlaylistDateRange: Hashable, Sendable {
  /// ID.
  public var id: String
  /// CLASS.
  public var classification: String?
  /// START-DATE; `nil` when missing or unreadable.
  public var start: Date?
  /// END-DATE.
  public var end: Date?
  /// DURATION, else PLANNED-DURATION.
  public var duration: Duration?
  /// Every attribute as text, SCTE35 and client attributes included.
  public var attributes: [String: String]
}
