import CFFmpeg

extension InputContext {
  /// What libav knows of every stream.
  package var streams: [StreamFacts] {
    (0..<streamCount).compactMap { index in
      silo_stream(pointer, Int32(index)).flatMap { StreamFacts($0, index: index) }
    }
  }

  /// The container's own text, by lower-case key.
  package var metadata: [String: String] { LibavDictionary.map(of: pointer.pointee.metadata) }

  /// How long the input plays, as far as libav knows.
  package var duration: Duration? {
    let ticks = pointer.pointee.duration
    guard ticks != silo_nopts, ticks > 0 else { return nil }
    return TimeBase(1, AV_TIME_BASE).duration(of: ticks)
  }

  /// The chapters in the order of the container.
  package var chapters: [Chapter] {
    let count = Int(pointer.pointee.nb_chapters)
    guard count > 0, let list = pointer.pointee.chapters else { return [] }
    return (0..<count).compactMap { index in
      guard let chapter = list[index]?.pointee, chapter.start != silo_nopts else { return nil }
      let base = TimeBase(chapter.time_base)
      return Chapter(
        start: base.duration(of: chapter.start),
        end: chapter.end == silo_nopts ? nil : base.duration(of: chapter.end),
        title: LibavDictionary.map(of: chapter.metadata)["title"])
    }
  }
}

extension StreamFacts {
  /// The facts of libav's stream; `nil` when it has no parameters.
  init?(_ stream: UnsafeMutablePointer<AVStream>, index: Int) {
    guard let parameters = stream.pointee.codecpar else { return nil }
    let facts = parameters.pointee
    self.index = index
    switch facts.codec_type {
    case AVMEDIA_TYPE_VIDEO: kind = .video
    case AVMEDIA_TYPE_AUDIO: kind = .audio
    case AVMEDIA_TYPE_SUBTITLE: kind = .subtitle
    case AVMEDIA_TYPE_DATA: kind = .data
    case AVMEDIA_TYPE_ATTACHMENT: kind = .attachment
    default: kind = .unknown
    }
    codec = silo_codec_name(facts.codec_id).map { Codec(String(cString: $0)) }
    codecTag = Self.text(ofTag: facts.codec_tag)
    timeBase = TimeBase(stream.pointee.time_base)
    containerID = Int(stream.pointee.id)
    metadata = LibavDictionary.map(of: stream.pointee.metadata)
    dispositions = Dispositions(rawValue: stream.pointee.disposition)
    extradata =
      facts.extradata_size > 0
      ? Array(UnsafeBufferPointer(start: facts.extradata, count: Int(facts.extradata_size))) : []
    bitsPerSecond = facts.bit_rate > 0 ? Int(facts.bit_rate) : nil
    startTicks = stream.pointee.start_time == silo_nopts ? nil : stream.pointee.start_time
    let duration = stream.pointee.duration
    durationTicks = duration == silo_nopts || duration <= 0 ? nil : duration
    frameCount = stream.pointee.nb_frames > 0 ? stream.pointee.nb_frames : nil
    profile = facts.profile == FF_PROFILE_UNKNOWN ? nil : Int(facts.profile)
    picture = kind == .video ? PictureFacts(stream, parameters) : nil
    sound = kind == .audio ? SoundFacts(parameters) : nil
  }

  private static func text(ofTag tag: UInt32) -> String? {
    guard tag != 0 else { return nil }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
    guard bytes.allSatisfy({ (32...126).contains($0) }) else { return String(tag) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PictureFacts {
  fileprivate init(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) {
    let facts = parameters.pointee
    width = facts.width > 0 ? Int(facts.width) : nil
    height = facts.height > 0 ? Int(facts.height) : nil
    let rates = [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate]
    frameRate = rates.first { $0.num > 0 && $0.den > 0 }.map { Double($0.num) / Double($0.den) }
    transfer = av_color_transfer_name(facts.color_trc).map { String(cString: $0) }
    var size = 0
    isDolbyVision = silo_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size) != nil
    isHDR10Plus = silo_stream_side_data(stream, AV_PKT_DATA_DYNAMIC_HDR10_PLUS, &size) != nil
  }
}

extension SoundFacts {
  fileprivate init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    sampleRate = parameters.pointee.sample_rate > 0 ? Int(parameters.pointee.sample_rate) : nil
    let count = Int(silo_channel_count(parameters))
    channels = count > 0 ? count : nil
    layout = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      text.initialize(repeating: 0)
      guard count > 0, silo_describe_layout(parameters, text.baseAddress, 127) > 0 else {
        return nil
      }
      return text.baseAddress.map { String(cString: $0) }
    }
  }
}
