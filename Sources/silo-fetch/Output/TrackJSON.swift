import SiloMedia

/// A video track in JSON.
struct VideoJSON: Encodable {
  let track: VideoTrack

  init(_ track: VideoTrack) { self.track = track }

  private enum CodingKeys: String, CodingKey {
    case id, codec, width, height
    case frameRate = "frame_rate"
    case hdr, title, language
    case isDefault = "default"
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(track.id, forKey: .id)
    try keys.encode(track.codec, forKey: .codec)
    try keys.encodeIfPresent(track.width, forKey: .width)
    try keys.encodeIfPresent(track.height, forKey: .height)
    // Three decimals tell 23.976 from 24; more is noise of the division.
    let rate = track.frameRate.map { ($0 * 1000).rounded() / 1000 }
    try keys.encodeIfPresent(rate, forKey: .frameRate)
    try keys.encodeIfPresent(track.dynamicRange, forKey: .hdr)
    try keys.encodeIfPresent(track.title, forKey: .title)
    try keys.encodeIfPresent(track.language, forKey: .language)
    try keys.encode(track.isDefault, forKey: .isDefault)
    try SizeJSON(track.size).encode(to: encoder)
  }
}

/// An audio track in JSON.
struct AudioJSON: Encodable {
  let track: AudioTrack

  init(_ track: AudioTrack) { self.track = track }

  private enum CodingKeys: String, CodingKey {
    case id, index, language
    case storedLanguage = "language_stored"
    case title, codec, channels, layout
    case sampleRate = "sample_rate"
    case isDefault = "default"
    case role, original
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(track.id, forKey: .id)
    try keys.encode(track.index, forKey: .index)
    try keys.encodeIfPresent(track.language, forKey: .language)
    try keys.encodeIfPresent(track.storedLanguage, forKey: .storedLanguage)
    try keys.encodeIfPresent(track.title, forKey: .title)
    try keys.encode(track.codec, forKey: .codec)
    try keys.encodeIfPresent(track.channels, forKey: .channels)
    try keys.encodeIfPresent(track.layout, forKey: .layout)
    try keys.encodeIfPresent(track.sampleRate, forKey: .sampleRate)
    try keys.encode(track.isDefault, forKey: .isDefault)
    try keys.encode(track.role, forKey: .role)
    try keys.encode(track.isOriginal, forKey: .original)
    try SizeJSON(track.size).encode(to: encoder)
  }
}

/// A subtitle track in JSON.
struct SubtitleJSON: Encodable {
  let track: SubtitleTrack
  /// Whether it is a file beside the media.
  let isBeside: Bool

  init(_ track: SubtitleTrack, isBeside: Bool = false) {
    (self.track, self.isBeside) = (track, isBeside)
  }

  private enum CodingKeys: String, CodingKey {
    case id, language
    case storedLanguage = "language_stored"
    case codec, forced
    case hearingImpaired = "hearing_impaired"
    case isDefault = "default"
    case title, external
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(track.id, forKey: .id)
    try keys.encodeIfPresent(track.language, forKey: .language)
    try keys.encodeIfPresent(track.storedLanguage, forKey: .storedLanguage)
    try keys.encode(track.codec, forKey: .codec)
    try keys.encode(track.isForced, forKey: .forced)
    try keys.encode(track.isHearingImpaired, forKey: .hearingImpaired)
    try keys.encode(track.isDefault, forKey: .isDefault)
    try keys.encodeIfPresent(track.title, forKey: .title)
    if isBeside { try keys.encode(true, forKey: .external) }
    try SizeJSON(track.size).encode(to: encoder)
  }
}

/// `bytes` and `bytes_basis`, both absent when the number is not known.
struct SizeJSON: Encodable {
  let size: SizeEstimate

  init(_ size: SizeEstimate) { self.size = size }

  private enum CodingKeys: String, CodingKey {
    case bytes
    case basis = "bytes_basis"
  }

  func encode(to encoder: any Encoder) throws {
    guard let bytes = size.byteCount else { return }
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(bytes, forKey: .bytes)
    try keys.encode(size.basis, forKey: .basis)
  }
}
