import CFFmpeg
package import SiloSystem

/// An opened input: owns the format context and the I/O that it reads through; stays on one thread.
package struct InputContext: ~Copyable {
  /// The context; only for libav calls of this folder.
  let pointer: UnsafeMutablePointer<AVFormatContext>
  /// What messages call the input.
  package let name: String
  private let io: SourceIO
  private let cancel: CancellationFlag

  private init(
    adopting pointer: UnsafeMutablePointer<AVFormatContext>, name: String, io: SourceIO,
    cancel: CancellationFlag
  ) {
    self.pointer = pointer
    self.name = name
    self.io = io
    self.cancel = cancel
  }

  deinit {
    LibavLog.unregister(pointer)
    var context: UnsafeMutablePointer<AVFormatContext>? = pointer
    avformat_close_input(&context)
    withExtendedLifetime(io) {}
  }

  /// Opens `source`; cancelling `cancel` from another thread ends the call with `CancellationError`.
  ///
  /// Reads the headers and, when asked, a bounded number of packets. Throws what the source threw, or a
  /// `LibavError`, or `MediaError.usage` for an option that libav does not know.
  package static func open(
    _ source: MediaSource, options: InputOptions = InputOptions(),
    cancel: CancellationFlag = CancellationFlag()
  ) throws -> InputContext {
    LibavLog.install()
    let io = try SourceIO(
      source.bytes, bufferByteCount: options.bufferByteCount, cancel: cancel)
    guard let allocated = avformat_alloc_context() else {
      throw LibavError(code: silo_averror(12), operation: "allocating an input")
    }
    LibavLog.register(allocated)
    prepare(allocated, io: io, cancel: cancel)
    var dictionary = LibavDictionary(options.dictionary)
    var context: UnsafeMutablePointer<AVFormatContext>? = allocated
    let format = options.format.flatMap { av_find_input_format($0) }
    if let wanted = options.format, format == nil {
      avformat_free_context(allocated)
      throw MediaError(.unsupported, "libavformat has no demuxer \(wanted).", subject: source.name)
    }
    // On failure libav has freed the context already.
    let code = avformat_open_input(&context, nil, format, &dictionary.pointer)
    guard code >= 0, let opened = context else {
      let lines = LibavLog.unregister(allocated)
      if cancel.isCancelled { throw CancellationError() }
      try io.rethrowStoredError()
      throw LibavError(code: code, operation: "opening the input", logLines: lines)
    }
    let input = InputContext(adopting: opened, name: source.name, io: io, cancel: cancel)
    if let unknown = dictionary.keys.first {
      throw MediaError(.usage, "libavformat takes no option \(unknown).", subject: source.name)
    }
    if options.readsStreamInfo {
      try input.check(avformat_find_stream_info(opened, nil), "reading stream information")
    }
    return input
  }

  private static func prepare(
    _ context: UnsafeMutablePointer<AVFormatContext>, io: SourceIO, cancel: CancellationFlag
  ) {
    context.pointee.pb = io.pointer
    context.pointee.interrupt_callback.callback = { opaque in
      guard let opaque else { return 0 }
      return Unmanaged<CancellationFlag>.fromOpaque(opaque).takeUnretainedValue().isCancelled
        ? 1 : 0
    }
    context.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(cancel).toOpaque()
    // Input is hostile: no demuxer may open another file or address.
    context.pointee.io_open = { _, _, _, _, _ in silo_averror(1) }
  }

  /// Throws when `code` is a failure: cancellation first, then what the source threw, then libav's own error.
  @discardableResult
  func check(_ code: Int32, _ operation: String) throws -> Int32 {
    if code >= 0 { return code }
    if cancel.isCancelled { throw CancellationError() }
    try io.rethrowStoredError()
    throw LibavError(code: code, operation: operation, logLines: LibavLog.lines(of: pointer))
  }

  /// Reads the next packet into `packet`; `false` at the end.
  package func readPacket(into packet: borrowing PacketBuffer) throws -> Bool {
    var code: Int32 = 0
    repeat {
      av_packet_unref(packet.pointer)
      code = av_read_frame(pointer, packet.pointer)
      // Packets that were read for stream information still come from streams that were discarded since.
    } while code >= 0 && isDiscarded(packet.pointer.pointee.stream_index)
    if code == silo_averror_eof {
      // A failed read at the I/O level shows itself to some demuxers as the end.
      if cancel.isCancelled { throw CancellationError() }
      try io.rethrowStoredError()
      return false
    }
    // EAGAIN is what the demuxer of MPEG-TS says when it finds no packet any more; nothing here is asked to try again.
    if code == silo_averror(11) { code = silo_averror_invaliddata }
    try check(code, "reading a packet")
    return true
  }

  private func isDiscarded(_ stream: Int32) -> Bool {
    silo_stream(pointer, stream)?.pointee.discard == AVDISCARD_ALL
  }

  /// Moves to the key packet of `stream` at or before `timestamp` (ticks of that stream).
  package func seek(stream: Int, to timestamp: Int64) throws {
    try check(
      av_seek_frame(pointer, Int32(clamping: stream), timestamp, AVSEEK_FLAG_BACKWARD), "seeking")
  }

  /// Moves to a byte; only for containers without an index, such as MPEG-TS.
  package func seek(toByte offset: Int64) throws {
    try check(av_seek_frame(pointer, -1, offset, AVSEEK_FLAG_BYTE), "seeking to a byte")
  }

  /// Keeps only the packets of these streams; the others are not even copied.
  package func keepOnly(_ streams: some Collection<Int>) {
    let kept = Set(streams)
    for index in 0..<streamCount {
      silo_stream(pointer, Int32(index))?.pointee.discard =
        kept.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// The number of streams so far; MPEG-TS may find more while packets are read.
  package var streamCount: Int { Int(pointer.pointee.nb_streams) }

  /// The demuxer's name, which may be a list: `mov,mp4,m4a,3gp,3g2,mj2`.
  package var formatName: String {
    pointer.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
  }

  /// The last warnings of libav about this input.
  package var logLines: [String] { LibavLog.lines(of: pointer) }

  /// The codec parameters of a stream, for setting up a muxer; `nil` when there is no such stream.
  func parameters(of stream: Int) -> UnsafeMutablePointer<AVCodecParameters>? {
    silo_stream(pointer, Int32(clamping: stream))?.pointee.codecpar
  }

  /// The tick of a stream.
  package func timeBase(of stream: Int) -> TimeBase? {
    silo_stream(pointer, Int32(clamping: stream)).map { TimeBase($0.pointee.time_base) }
  }
}
