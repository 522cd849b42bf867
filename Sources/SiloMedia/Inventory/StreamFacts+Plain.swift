import SiloSystem

extension StreamFacts {
  /// The bytes of sound that is stored sample by sample (PCM); unknown of anything coded.
  func plainSize(in duration: Duration?) -> SizeEstimate {
    guard let bits = plainBitsPerSample, let channels = sound?.channels,
      let rate = sound?.sampleRate, let seconds = duration?.seconds, seconds > 0,
      let bytes = Int64(
        exactly: (Double(bits) * Double(channels) * Double(rate) * seconds / 8).rounded()),
      bytes > 0
    else { return .unknown }
    return SizeEstimate(byteCount: bytes, basis: .measured)
  }

  /// By the names that libav gives such codecs: `pcm_s16le`, `pcm_f32be`, `pcm_mulaw`; `nil` of those with headers.
  private var plainBitsPerSample: Int? {
    guard kind == .audio, let name = codec?.name, name.hasPrefix("pcm_") else { return nil }
    switch name.dropFirst(4) {
    case "alaw", "mulaw", "vidc": return 8
    case let form where ["s", "u", "f"].contains(form.prefix(1)):
      return Int(form.dropFirst().prefix { $0.isASCII && $0.isNumber })
    default: return nil
    }
  }
}
