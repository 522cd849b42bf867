import SiloSystem

/// How many bytes a rendition of a presentation needs, and what that rests on.
enum HLSSize {
  /// The sum of the segments' byte ranges and of their init sections; `nil` unless every one has a range.
  static func ofRanges(_ playlist: MediaPlaylist) -> SizeEstimate? {
    var total: Int64 = 0
    var inits: Set<InitSection> = []
    for segment in playlist.segments where !segment.isGap {
      guard let range = segment.byteRange else { return nil }
      var parts = [range]
      if let section = segment.initSection, inits.insert(section).inserted {
        guard let range = section.byteRange else { return nil }
        parts.append(range)
      }
      for part in parts {
        let (sum, overflow) = total.addingReportingOverflow(part.upperBound - part.lowerBound)
        if overflow { return nil }
        total = sum
      }
    }
    return total > 0 ? SizeEstimate(byteCount: total, basis: .exact) : nil
  }

  /// EXT-X-BITRATE over each segment (rfc8216bis, 4.4.4.8); `nil` unless it applies to every one.
  static func ofBitrates(_ playlist: MediaPlaylist) -> SizeEstimate? {
    var total = 0.0
    for segment in playlist.segments where !segment.isGap {
      guard let bits = segment.bitsPerSecond, bits > 0 else { return nil }
      total += Double(bits) / 8 * segment.duration.seconds
    }
    return estimate(total, .declared)
  }

  /// The first segment's rate over the whole duration; `nil` when there is none.
  ///
  /// One segment stands for the rest only where the codec's rate is constant by nature; else the number is an assumption.
  static func ofFirstSegment(_ rendition: HLSRendition) -> SizeEstimate? {
    guard let first = rendition.firstSegment, first.byteCount > 0, first.duration > .zero else {
      return nil
    }
    let playlist = rendition.playlist
    // The whole of a one-segment list was seen.
    if playlist.segments.count == 1 {
      return SizeEstimate(byteCount: first.byteCount, basis: .measured)
    }
    let rate = Double(first.byteCount) / first.duration.seconds
    let isAlone = first.inventory.video.isEmpty && first.inventory.audio.count == 1
    let keepsRate = first.inventory.audio.allSatisfy { isConstant($0.codec) }
    return estimate(
      rate * playlist.playedDuration.seconds, isAlone && keepsRate ? .measured : .assumed)
  }

  /// `bitsPerSecond` over `duration`; `nil` for no or a senseless rate.
  static func ofRate(
    _ bitsPerSecond: Int?, _ duration: Duration, _ basis: SizeEstimate.Basis
  ) -> SizeEstimate? {
    guard let bitsPerSecond, bitsPerSecond > 0 else { return nil }
    return estimate(Double(bitsPerSecond) / 8 * duration.seconds, basis)
  }

  /// What such a track usually needs, in bits a second.
  static func usualRate(_ codec: Codec, channels: Int?) -> Int {
    let channels = max(1, min(channels ?? 2, 16))
    return switch codec.name {
    case "ac3": channels > 2 ? 448_000 : 192_000
    case "eac3": channels > 2 ? 384_000 : 160_000
    case "dts": 768_000
    case "truehd", "flac", "alac": 500_000 * channels
    default: channels > 2 ? 64_000 * channels : 128_000
    }
  }

  /// What text subtitles usually need, in bits a second.
  static let usualSubtitleRate = 240

  /// Whether the codec keeps one bit rate by nature.
  static func isConstant(_ codec: Codec) -> Bool { constant.contains(codec.name) }

  private static let constant: Set<String> = ["ac3", "eac3", "mp2", "dts"]

  private static func estimate(
    _ byteCount: Double, _ basis: SizeEstimate.Basis
  ) -> SizeEstimate? {
    guard byteCount >= 1, byteCount < 1e18 else { return nil }
    return SizeEstimate(byteCount: Int64(byteCount.rounded()), basis: basis)
  }
}

extension MediaPlaylist {
  /// The sum of the durations of the segments that are there to be fetched.
  var playedDuration: Duration {
    segments.reduce(.zero) { $1.isGap ? $0 : $0 + $1.duration }
  }
}
