import CFFmpeg

/// Takes the ADTS header off AAC packets, as MP4 wants them, and learns the configuration from it.
///
/// libavformat 5.1 does not do this by itself for fragments.
struct ADTSFilter: ~Copyable {
  private let pointer: UnsafeMutablePointer<AVBSFContext>

  private init(adopting pointer: UnsafeMutablePointer<AVBSFContext>) { self.pointer = pointer }

  deinit {
    var context: UnsafeMutablePointer<AVBSFContext>? = pointer
    av_bsf_free(&context)
  }

  /// A filter for packets of these parameters; `nil` when they carry no ADTS headers.
  static func start(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: TimeBase
  ) throws -> ADTSFilter? {
    guard parameters.pointee.codec_id == AV_CODEC_ID_AAC, parameters.pointee.extradata_size == 0
    else { return nil }
    var allocated: UnsafeMutablePointer<AVBSFContext>?
    let code = av_bsf_alloc(av_bsf_get_by_name("aac_adtstoasc"), &allocated)
    guard code >= 0, let context = allocated else {
      throw LibavError(code: code, operation: "converting ADTS")
    }
    let filter = ADTSFilter(adopting: context)
    context.pointee.time_base_in = timeBase.rational
    try check(avcodec_parameters_copy(context.pointee.par_in, parameters))
    try check(av_bsf_init(context))
    return filter
  }

  /// Converts the packet in place; a packet that is not ADTS passes unchanged.
  func convert(_ packet: borrowing PacketBuffer) throws {
    try Self.check(av_bsf_send_packet(pointer, packet.pointer))
    try Self.check(av_bsf_receive_packet(pointer, packet.pointer))
  }

  private static func check(_ code: Int32) throws {
    if code < 0 { throw LibavError(code: code, operation: "converting ADTS") }
  }
}
