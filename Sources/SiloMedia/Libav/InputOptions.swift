/// How an input is opened.
package struct InputOptions: Sendable {
  /// The demuxer's short name, or `nil` to tell it from the bytes.
  package var format: String?
  /// Whether packets are read to learn what the headers do not say.
  package var readsStreamInfo: Bool
  /// The most bytes that are read for that, or libav's own limit.
  package var probeByteCount: Int?
  /// The most media time that is read for that, or libav's own limit.
  package var probeDuration: Duration?
  /// Whether libav unfolds 33-bit timestamps on its own; the timeline of this package does it better.
  package var correctsOverflow: Bool
  /// Further options by libav's names; one that is not consumed is an error.
  package var options: [String: String]
  /// The size of the read buffer.
  package var bufferByteCount: Int

  /// Options; the defaults read stream information and leave overflows to libav.
  package init(
    format: String? = nil, readsStreamInfo: Bool = true, probeByteCount: Int? = nil,
    probeDuration: Duration? = nil, correctsOverflow: Bool = true,
    options: [String: String] = [:], bufferByteCount: Int = 256 << 10
  ) {
    self.format = format
    self.readsStreamInfo = readsStreamInfo
    self.probeByteCount = probeByteCount
    self.probeDuration = probeDuration
    self.correctsOverflow = correctsOverflow
    self.options = options
    self.bufferByteCount = bufferByteCount
  }

  /// Demuxers that may be chosen by looking at bytes.
  ///
  /// None of them opens another address: playlists are read by
  /// this package, never by libav.
  package static let allowedFormats = [
    "aac", "ac3", "aiff", "amr", "ape", "asf", "ass", "au", "av1", "avi", "caf", "dsf", "dts",
    "dtshd", "eac3", "flac", "flv", "h264", "hevc", "ivf", "latm", "loas", "m4v", "matroska",
    "mov", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "mpegvideo", "mxf", "nut", "obu", "ogg", "rm",
    "srt", "sup", "truehd", "tta", "vc1", "voc", "w64", "wav", "webvtt", "wtv", "wv",
  ]

  /// The options as libav takes them.
  var dictionary: [String: String] {
    var all = options
    all["format_whitelist"] = Self.allowedFormats.joined(separator: ",")
    all["protocol_whitelist"] = "none"
    if !correctsOverflow { all["correct_ts_overflow"] = "0" }
    if let probeByteCount { all["probesize"] = String(max(32, probeByteCount)) }
    if let probeDuration {
      let (seconds, attoseconds) = probeDuration.components
      all["analyzeduration"] = String(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
    return all
  }
}
