/// Turns packets of one text codec into those that a container takes.
struct TextConversion: Hashable {
  private let source: Codec
  /// The codec that is written.
  let target: OutputStream.TextCodec

  /// The conversion that `container` needs; `nil` when packets of `codec` go in as they are.
  init?(from codec: Codec?, to container: OutputContainer) {
    guard let codec else { return nil }
    switch (codec.name, container) {
    case ("subrip", .mp4), ("text", .mp4), ("webvtt", .mp4): target = .movText
    case ("mov_text", .mkv): target = .subRip
    default: return nil
    }
    source = codec
  }

  /// Replaces the payload of `packet`; `false` when nothing is to be written.
  func convert(_ packet: borrowing PacketBuffer) throws -> Bool {
    let bytes = packet.withBytes { Array($0) }
    let made: [UInt8]
    switch target {
    case .subRip:
      guard let text = TextSample.text(ofMovText: bytes) else { return false }
      made = Array(text.utf8)
    case .movText:
      let text = WebVTTText.converted(
        String(decoding: bytes, as: UTF8.self), keepsStyles: false)
      guard !text.isEmpty else { return false }
      made = TextSample.movText(text)
    }
    try packet.replacePayload(made)
    return true
  }
}
