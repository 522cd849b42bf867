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

  /// Replaces the payload of `packet`, and adds to `losses` what went; `false` when nothing is to be written.
  func convert(_ packet: borrowing PacketBuffer, _ losses: inout Set<StyledText.Loss>) throws
    -> Bool
  {
    guard let text = text(of: packet, &losses) else { return false }
    try packet.replacePayload(target.payload(of: text))
    return true
  }

  /// The text of `packet`, adding to `losses` what of it is not written; `nil` when nothing is.
  func text(of packet: borrowing PacketBuffer, _ losses: inout Set<StyledText.Loss>) -> StyledText?
  {
    let bytes = packet.withBytes { Array($0) }
    guard let text = StyledText(bytes, codec: source, settings: packet.webVTTSettings),
      !text.isEmpty
    else { return nil }
    losses.formUnion(target.losses(of: text))
    return text
  }
}

extension StyledText {
  /// The text of a packet of `codec`; `nil` when it is none.
  init?(_ payload: [UInt8], codec: Codec, settings: String? = nil) {
    let text = String(decoding: payload, as: UTF8.self)
    switch codec {
    case "mov_text":
      guard let text = TextSample.text(ofMovText: payload) else { return nil }
      self = text
    case "ass", "ssa":
      // ReadOrder, Layer, Style, Name, three margins, Effect, then the text, which may have commas.
      let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      guard fields.count == 9 else { return nil }
      self = StyledTextReader.read(String(fields[8]), as: .ass)
    case "webvtt": self = StyledTextReader.read(text, as: .webVTT, settings: settings)
    default: self = StyledTextReader.read(text, as: .subRip)
    }
  }
}

extension OutputStream.TextCodec {
  /// What a packet of `text` holds.
  func payload(of text: StyledText) -> [UInt8] {
    switch self {
    case .movText: TextSample.movText(text)
    case .subRip: Array(text.subRip.utf8)
    }
  }

  /// What of `text` is not in that packet.
  func losses(of text: StyledText) -> Set<StyledText.Loss> {
    self == .movText && text.place != nil ? text.losses.union([.position]) : text.losses
  }
}
