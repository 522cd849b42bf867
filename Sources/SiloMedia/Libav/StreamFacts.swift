/// What libav knows of one stream, as plain values.
package struct StreamFacts: Hashable, Sendable {
  /// What a stream carries.
  package enum Kind: Hashable, Sendable {
    case video, audio, subtitle, data, attachment, unknown
  }

  /// The position in the container.
  package var index: Int
  /// What it carries.
  package var kind: Kind
  /// The codec, or `nil` when libav has no name for it.
  package var codec: Codec?
  /// The container's own name of the codec, as four characters or a number.
  package var codecTag: String?
  /// The tick of its timestamps.
  package var timeBase: TimeBase
  /// PID, track id, track number: the container's own number.
  package var containerID: Int
  /// The container's text, by lower-case key.
  package var metadata: [String: String]
  /// What the container says it is for.
  package var dispositions: Dispositions
  /// Codec configuration.
  package var extradata: [UInt8]
  /// Bits a second.
  package var bitsPerSecond: Int?
  /// The first timestamp in ticks.
  package var startTicks: Int64?
  /// How long it plays in ticks.
  package var durationTicks: Int64?
  /// The number of its packets.
  package var frameCount: Int64?
  /// The codec's profile as libav numbers it.
  package var profile: Int?
  /// Of video.
  package var picture: PictureFacts?
  /// Of audio.
  package var sound: SoundFacts?

  /// The language as the container writes it.
  package var language: String? { metadata["language"] }
  /// The title as the container writes it.
  package var title: String? { metadata["title"] }
  /// The first timestamp.
  package var start: Duration? { startTicks.map(timeBase.duration) }
  /// How long it plays.
  package var duration: Duration? { durationTicks.map(timeBase.duration) }
}

/// What libav knows of the pictures of a stream.
package struct PictureFacts: Hashable, Sendable {
  /// Pixels.
  package var width: Int?
  /// Pixels.
  package var height: Int?
  /// Pictures a second.
  package var frameRate: Double?
  /// The transfer function: `smpte2084`, `arib-std-b67`, `bt709`.
  package var transfer: String?
  /// Whether there is a Dolby Vision configuration.
  package var isDolbyVision: Bool
  /// Whether there is SMPTE 2094-40 metadata.
  package var isHDR10Plus: Bool
}

/// What libav knows of the sound of a stream.
package struct SoundFacts: Hashable, Sendable {
  /// Samples a second.
  package var sampleRate: Int?
  /// The number of channels.
  package var channels: Int?
  /// The layout as libav describes it.
  package var layout: String?
}

/// What a container says a track is for.
package struct Dispositions: OptionSet, Hashable, Sendable {
  /// libav's bits.
  package let rawValue: Int32
  /// The set of these bits.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let isDefault = Dispositions(rawValue: 0x0001)
  package static let dub = Dispositions(rawValue: 0x0002)
  package static let original = Dispositions(rawValue: 0x0004)
  package static let comment = Dispositions(rawValue: 0x0008)
  package static let forced = Dispositions(rawValue: 0x0040)
  package static let hearingImpaired = Dispositions(rawValue: 0x0080)
  package static let visualImpaired = Dispositions(rawValue: 0x0100)
  package static let attachedPicture = Dispositions(rawValue: 0x0400)
  package static let descriptions = Dispositions(rawValue: 0x20000)
}
