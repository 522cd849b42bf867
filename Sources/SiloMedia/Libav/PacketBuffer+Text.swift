import CFFmpeg

extension PacketBuffer {
  /// Replaces the payload; times stay.
  func replacePayload(_ bytes: [UInt8]) throws {
    var properties = pointer.pointee
    guard let copy = av_packet_alloc() else {
      throw LibavError(code: silo_averror(12), operation: "making a packet")
    }
    var made: UnsafeMutablePointer<AVPacket>? = copy
    defer { av_packet_free(&made) }
    guard av_new_packet(copy, Int32(clamping: bytes.count)) >= 0,
      av_packet_copy_props(copy, &properties) >= 0
    else { throw LibavError(code: silo_averror(12), operation: "making a packet") }
    bytes.withUnsafeBytes { source in
      guard let base = source.baseAddress, !source.isEmpty else { return }
      copy.pointee.data.update(
        from: base.assumingMemoryBound(to: UInt8.self), count: source.count)
    }
    copy.pointee.stream_index = properties.stream_index
    av_packet_unref(pointer)
    av_packet_move_ref(pointer, copy)
  }

  /// The settings of a WebVTT cue that came beside its text; `nil` without any.
  var webVTTSettings: String? {
    var count = 0
    guard let bytes = av_packet_get_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &count),
      count > 0
    else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Marks it as one with which decoding can start.
  func markKey() { pointer.pointee.flags |= AV_PKT_FLAG_KEY }

  /// Moves its times from ticks of `from` to ticks of `to`, each by itself.
  func rescaleTimes(from: TimeBase, to: TimeBase) {
    av_packet_rescale_ts(pointer, from.rational, to.rational)
  }
}
