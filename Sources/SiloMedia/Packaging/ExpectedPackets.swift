import SiloSystem

/// How many packets a stream will give, told before it is read.
struct ExpectedPackets: Hashable {
  /// The number of packets, about.
  var count: Int64
  /// Whether their times are rounded, so that their distances differ.
  var isRounded: Bool

  /// Of a stream that plays for `duration`.
  init(_ facts: StreamFacts, duration: Duration?) {
    let seconds = (facts.duration ?? duration)?.seconds ?? 0
    let tick = Double(facts.timeBase.numerator) / Double(facts.timeBase.denominator)
    let length: Double
    switch facts.kind {
    case .video: length = 1 / (facts.picture?.frameRate ?? 25)
    case .audio:
      let samples = Self.samples[facts.codec?.name ?? ""] ?? 1024
      length = samples / Double(facts.sound?.sampleRate ?? 48_000)
    default: length = 2
    }
    let ticks = length / tick
    isRounded = abs(ticks - ticks.rounded()) > 0.001
    let counted = facts.frameCount.flatMap { $0 > 0 ? $0 : nil }
    count = counted ?? Int64(exactly: (max(seconds, 0) / length).rounded(.up)) ?? 0
  }

  /// Of text whose segments have that many bytes.
  init(textByteCount: Int64) {
    count = textByteCount / 40
    isRounded = true
  }

  /// Samples of sound in a packet.
  private static let samples: [String: Double] = [
    "aac": 1024, "ac3": 1536, "eac3": 1536, "mp3": 1152, "mp2": 1152, "opus": 960, "flac": 4096,
    "dts": 512, "alac": 4096,
  ]
}
