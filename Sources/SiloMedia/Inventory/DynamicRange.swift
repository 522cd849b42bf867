/// The dynamic range of a video track.
public enum DynamicRange: String, Hashable, Sendable, Codable {
  /// Standard.
  case sdr
  /// PQ with static or no metadata.
  case hdr10
  /// PQ with SMPTE 2094-40 dynamic metadata.
  case hdr10Plus = "hdr10+"
  /// Hybrid log-gamma.
  case hlg
  /// Dolby Vision, whatever its base layer.
  case dolbyVision = "dolby-vision"
}
