import CFFmpeg

/// Writes packets of one track as one MP4 fragment into memory.
///
/// Stays on one thread.
struct FragmentMuxer: ~Copyable {
  private let pointer: UnsafeMutablePointer<AVFormatContext>
  private let timeBase: TimeBase

  private init(adopting pointer: UnsafeMutablePointer<AVFormatContext>, timeBase: TimeBase) {
    self.pointer = pointer
    self.timeBase = timeBase
  }

  deinit {
    LibavLog.unregister(pointer)
    if pointer.pointee.pb != nil {
      var rest: UnsafeMutablePointer<UInt8>?
      _ = avio_close_dyn_buf(pointer.pointee.pb, &rest)
      av_free(rest)
    }
    avformat_free_context(pointer)
  }

  /// Starts fragment `number`, from 0, of a track with these parameters.
  static func start(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: TimeBase, number: Int
  ) throws -> FragmentMuxer {
    var allocated: UnsafeMutablePointer<AVFormatContext>?
    avformat_alloc_output_context2(&allocated, nil, "mp4", nil)
    guard let context = allocated else {
      throw LibavError(code: silo_averror(12), operation: "allocating a fragment")
    }
    LibavLog.register(context)
    let muxer = FragmentMuxer(adopting: context, timeBase: timeBase)
    guard let stream = avformat_new_stream(context, nil) else {
      throw LibavError(code: silo_averror(12), operation: "allocating a fragment")
    }
    try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "copying parameters")
    // The tag of another container means nothing here; Apple's players want hvc1.
    stream.pointee.codecpar.pointee.codec_tag =
      parameters.pointee.codec_id == AV_CODEC_ID_HEVC ? 0x3163_7668 : 0
    stream.pointee.time_base = timeBase.rational
    try check(avio_open_dyn_buf(&context.pointee.pb), "allocating a fragment")
    context.pointee.flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_AUTO_BSF
    context.pointee.avoid_negative_ts = 0
    context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    var options = LibavDictionary([
      "movflags": "frag_custom+delay_moov+default_base_moof+frag_discont",
      "use_editlist": "0", "fragment_index": String(number + 1),
    ])
    try check(avformat_write_header(context, &options.pointer), "starting a fragment")
    return muxer
  }

  /// Writes the packet's bytes with these times, in ticks of the track.
  func write(
    _ packet: borrowing PacketBuffer, presentationTime: Int64, decodeTime: Int64, duration: Int64
  ) throws {
    guard let stream = silo_stream(pointer, 0) else { return }
    packet.stream = 0
    packet.presentationTime = presentationTime
    packet.decodeTime = decodeTime
    packet.duration = duration
    packet.pointer.pointee.pos = -1
    av_packet_rescale_ts(packet.pointer, timeBase.rational, stream.pointee.time_base)
    try checkWritten(av_write_frame(pointer, packet.pointer))
  }

  /// Ends the fragment and returns everything: `ftyp`, `moov`, `moof`, `mdat`, and what libav adds.
  consuming func finish() throws -> [UInt8] {
    try Self.check(av_write_frame(pointer, nil), "ending a fragment")
    try Self.check(av_write_trailer(pointer), "ending a fragment")
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = avio_close_dyn_buf(pointer.pointee.pb, &bytes)
    pointer.pointee.pb = nil
    defer { av_free(bytes) }
    guard count > 0, let bytes else {
      throw LibavError(code: silo_averror(12), operation: "ending a fragment")
    }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func check(_ code: Int32, _ operation: String) throws {
    if code < 0 { throw LibavError(code: code, operation: operation) }
  }

  private func checkWritten(_ code: Int32) throws {
    guard code < 0 else { return }
    throw LibavError(
      code: code, operation: "writing a fragment", logLines: LibavLog.lines(of: pointer))
  }
}
