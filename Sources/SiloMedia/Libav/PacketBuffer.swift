import CFFmpeg

/// One packet that is filled again and again; its bytes are libav's until the next read.
package struct PacketBuffer: ~Copyable {
  /// The packet; only for libav calls of this folder.
  let pointer: UnsafeMutablePointer<AVPacket>

  /// An empty packet.
  package init() throws {
    guard let packet = av_packet_alloc() else {
      throw LibavError(code: silo_averror(12), operation: "allocating a packet")
    }
    pointer = packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&packet)
  }

  /// Drops the bytes that it holds.
  package func clear() { av_packet_unref(pointer) }

  /// The stream that it belongs to.
  package var stream: Int {
    get { Int(pointer.pointee.stream_index) }
    nonmutating set { pointer.pointee.stream_index = Int32(clamping: newValue) }
  }

  /// When it is shown, in ticks of its stream; `nil` when the container does not say.
  package var presentationTime: Int64? {
    get { pointer.pointee.pts == silo_nopts ? nil : pointer.pointee.pts }
    nonmutating set { pointer.pointee.pts = newValue ?? silo_nopts }
  }

  /// When it is decoded, in ticks of its stream; `nil` when the container does not say.
  package var decodeTime: Int64? {
    get { pointer.pointee.dts == silo_nopts ? nil : pointer.pointee.dts }
    nonmutating set { pointer.pointee.dts = newValue ?? silo_nopts }
  }

  /// How long it plays, in ticks of its stream; `nil` when the container does not say.
  package var duration: Int64? {
    get { pointer.pointee.duration > 0 ? pointer.pointee.duration : nil }
    nonmutating set { pointer.pointee.duration = newValue ?? 0 }
  }

  /// The number of its bytes.
  package var byteCount: Int { Int(pointer.pointee.size) }

  /// Where it lies in the input, or `nil` when the demuxer does not say.
  package var position: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }

  /// Whether decoding can start with it.
  package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

  /// Whether the demuxer found it damaged.
  package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// Lends its bytes.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }
}
