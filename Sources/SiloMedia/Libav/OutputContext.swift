import CFFmpeg
import SiloSystem

/// A file that is being written: owns the format context and the I/O that it writes through; stays on one thread.
struct OutputContext: ~Copyable {
  /// The context; only for libav calls of this folder.
  let pointer: UnsafeMutablePointer<AVFormatContext>
  /// Where the bytes go.
  let io: SinkIO
  private let cancel: CancellationFlag

  private init(
    adopting pointer: UnsafeMutablePointer<AVFormatContext>, io: SinkIO, cancel: CancellationFlag
  ) {
    self.pointer = pointer
    self.io = io
    self.cancel = cancel
  }

  deinit {
    LibavLog.unregister(pointer)
    pointer.pointee.pb = nil
    avformat_free_context(pointer)
    withExtendedLifetime(io) {}
  }

  /// Starts the file at `path`, which is emptied.
  static func open(_ path: String, container: OutputContainer, cancel: CancellationFlag) throws
    -> OutputContext
  {
    LibavLog.install()
    var context: UnsafeMutablePointer<AVFormatContext>?
    let name = container == .mp4 ? "mp4" : "matroska"
    let code = avformat_alloc_output_context2(&context, nil, name, nil)
    guard code >= 0, let made = context else {
      throw LibavError(code: code, operation: "allocating an output")
    }
    do {
      let io = try SinkIO(path: path, cancel: cancel)
      LibavLog.register(made)
      made.pointee.pb = io.pointer
      // Bit-exact: no random identifiers and no version, so equal inputs give equal files.
      made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
      // A flush for each packet would undo the buffer.
      made.pointee.flush_packets = 0
      // Dolby Vision boxes are "unofficial" to libav.
      made.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
      return OutputContext(adopting: made, io: io, cancel: cancel)
    } catch {
      avformat_free_context(made)
      throw error
    }
  }

  /// Sets a text of the whole file.
  func setMetadata(_ key: String, _ value: String) {
    av_dict_set(&pointer.pointee.metadata, key, value, 0)
  }

  /// Adds a chapter, in microseconds from the start.
  func addChapter(start: Int64, end: Int64, title: String?) throws {
    try check(silo_add_chapter(pointer, start, end, title), "adding a chapter")
  }

  /// Adds a stream like `stream` of `input`.
  func addStream(like stream: Int, of input: borrowing InputContext, as facts: OutputStream) throws
  {
    guard let source = silo_stream(input.pointer, Int32(clamping: stream)),
      let made = avformat_new_stream(pointer, nil)
    else { throw LibavError(code: silo_averror(12), operation: "adding a stream") }
    try check(
      avcodec_parameters_copy(made.pointee.codecpar, source.pointee.codecpar), "adding a stream")
    try check(silo_copy_stream_side_data(made, source), "adding a stream")
    let tag = made.pointee.codecpar.pointee.codec_tag
    let isHEVC = made.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC
    made.pointee.codecpar.pointee.codec_tag =
      isHEVC && facts.container == .mp4
      ? (tag == silo_tag_dvh1 ? silo_tag_dvh1 : silo_tag_hvc1) : 0
    made.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    made.pointee.avg_frame_rate = source.pointee.avg_frame_rate
    made.pointee.r_frame_rate = source.pointee.r_frame_rate
    made.pointee.time_base = source.pointee.time_base
    if made.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_FLAC {
      // "Experimental" in MP4 to this libavformat, and published since ("Encapsulation of FLAC in ISO Base Media File Format").
      pointer.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    }
    if let text = facts.textCodec { try setText(text, of: made) }
    describe(made, as: facts)
  }

  /// Adds a stream of text that this package makes itself, in milliseconds.
  func addTextStream(_ text: OutputStream.TextCodec, as facts: OutputStream) throws {
    guard let made = avformat_new_stream(pointer, nil) else {
      throw LibavError(code: silo_averror(12), operation: "adding a stream")
    }
    made.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
    made.pointee.time_base = silo_rational(1, 1000)
    try setText(text, of: made)
    describe(made, as: facts)
  }

  private func setText(_ text: OutputStream.TextCodec, of stream: UnsafeMutablePointer<AVStream>)
    throws
  {
    let parameters = stream.pointee.codecpar
    parameters?.pointee.codec_id =
      text == .movText ? AV_CODEC_ID_MOV_TEXT : AV_CODEC_ID_SUBRIP
    parameters?.pointee.codec_tag = 0
    if let old = parameters?.pointee.extradata { av_free(old) }
    parameters?.pointee.extradata = nil
    parameters?.pointee.extradata_size = 0
    guard text == .movText else { return }
    let bytes = TextSample.sampleDescription
    let padded = bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = av_mallocz(padded) else {
      throw LibavError(code: silo_averror(12), operation: "adding a stream")
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    parameters?.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    parameters?.pointee.extradata_size = Int32(bytes.count)
  }

  private func describe(_ stream: UnsafeMutablePointer<AVStream>, as facts: OutputStream) {
    stream.pointee.disposition = facts.dispositions.rawValue
    for (key, value) in facts.metadata {
      av_dict_set(&stream.pointee.metadata, key, value, 0)
    }
  }

  /// Writes the head; no stream can be added any more.
  func writeHeader(options: [String: String]) throws {
    var dictionary = LibavDictionary(options)
    try check(avformat_write_header(pointer, &dictionary.pointer), LibavError.headerOperation)
    if let unknown = dictionary.keys.first {
      throw MediaError(.usage, "libavformat takes no option \(unknown).")
    }
  }

  /// What readers take off the times of a stream, in nanoseconds: the CodecDelay that Matroska states for Opus.
  ///
  /// libavformat 5.1 writes the element without moving the blocks by it.
  func codecDelay(of stream: Int) -> Int64 {
    guard let parameters = silo_stream(pointer, Int32(stream))?.pointee.codecpar,
      parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
      let name = pointer.pointee.oformat?.pointee.name, String(cString: name) == "matroska"
    else { return 0 }
    return Int64(parameters.pointee.initial_padding) * 1_000_000_000 / 48_000
  }

  /// The tick of a stream; the muxer decides it when the head is written.
  func timeBase(of stream: Int) -> TimeBase {
    silo_stream(pointer, Int32(clamping: stream)).map { TimeBase($0.pointee.time_base) }
      ?? TimeBase(1, 1000)
  }

  /// Writes a packet, whose times are in ticks of its output stream.
  func write(_ packet: borrowing PacketBuffer) throws {
    packet.pointer.pointee.pos = -1
    try check(av_write_frame(pointer, packet.pointer), "writing a packet")
  }

  /// The bytes that were written so far.
  var byteCount: Int64 { io.end }

  /// Throws when `code` is a failure: cancellation first, then what a write threw, then libav's own error.
  @discardableResult
  func check(_ code: Int32, _ operation: String) throws -> Int32 {
    if code >= 0 && io.storedError == nil { return code }
    if cancel.isCancelled { throw CancellationError() }
    try io.rethrowStoredError()
    throw LibavError(code: code, operation: operation, logLines: LibavLog.lines(of: pointer))
  }
}

/// What is said of a stream that is written.
struct OutputStream {
  /// Text codecs that are made here.
  enum TextCodec: Hashable {
    /// 3GPP timed text.
    case movText
    /// SubRip.
    case subRip
  }

  /// The container that it goes into.
  var container: OutputContainer
  /// What it is for.
  var dispositions: Dispositions
  /// Its text by libav's keys.
  var metadata: [String: String]
  /// The text codec that its packets are turned into; `nil` keeps them.
  var textCodec: TextCodec?
}
