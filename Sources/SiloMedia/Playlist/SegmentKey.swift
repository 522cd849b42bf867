public import struct Foundation.URL

/// How segments are encrypted from one EXT-X-KEY on (RFC 8216, 4.3.2.4).
public struct SegmentKey: Hashable, Sendable, Codable {
  /// What is encrypted, and how.
  public enum Method: Hashable, Sendable, Codable {
    /// Whole segments, AES-128 in CBC mode with PKCS#7 padding.
    case aes128
    /// Samples inside the segments, AES-128 in CBC mode.
    case sampleAES
    /// Samples inside fragmented MP4, AES-128 in CTR mode.
    case sampleAESCTR
    /// A method that is not known here, as written.
    case other(String)

    init(_ text: String) {
      switch text {
      case "AES-128": self = .aes128
      case "SAMPLE-AES": self = .sampleAES
      case "SAMPLE-AES-CTR", "SAMPLE-AES-CENC": self = .sampleAESCTR
      default: self = .other(text)
      }
    }
  }

  /// What is encrypted, and how.
  public var method: Method
  /// Where the 16 bytes of the key are fetched; `nil` for a key inside the playlist or of a DRM system.
  public var url: URL?
  /// The key's bytes when the playlist itself carries them in a `data:` URI; 16 bytes or 32 hexadecimal digits if it is right.
  public var inlineBytes: [UInt8]?
  /// The 16 bytes of an explicit IV; `nil` means that the media sequence number is the IV (RFC 8216, 5.2).
  public var explicitIV: [UInt8]?
  /// KEYFORMAT; `identity` when absent.
  public var format: String
  /// KEYFORMATVERSIONS; `[1]` when absent.
  public var formatVersions: [Int]
  /// The name of the DRM system that alone can use the key; `nil` for a plain key.
  public var drmSystem: String?

  /// The IV for the segment with that media sequence number: 16 bytes, the explicit one or the number in big-endian order.
  public func initializationVector(mediaSequence: Int) -> [UInt8] {
    if let explicitIV { return explicitIV }
    let number = UInt64(max(0, mediaSequence))
    return [UInt8](repeating: 0, count: 8)
      + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }

  /// Whether the key is plain bytes that anyone who may read the playlist may fetch.
  public var isPlain: Bool { drmSystem == nil }
}

/// One EXT-X-KEY or EXT-X-SESSION-KEY, where it stands.
public struct KeySighting: Hashable, Sendable, Codable {
  /// The line, from 1.
  public var line: Int
  /// The tag's name: `EXT-X-KEY` or `EXT-X-SESSION-KEY`.
  public var tag: String
  /// What it says.
  public var key: SegmentKey
}
