/// One TrackEntry of Matroska (RFC 9559, 5.1.4.1), with what libavformat 5.1 drops.
struct MatroskaTrack: Hashable, Sendable {
  /// The number that blocks carry.
  var number: UInt64 = 0
  /// 1 video, 2 audio, 17 subtitles.
  var type: UInt64 = 0
  /// The codec: `A_AAC`, `S_TEXT/UTF8`.
  var codecID = ""
  /// The title.
  var name: String?
  /// The language in the older three-letter element; `eng` when that is absent, as the format has it.
  var language = "eng"
  /// The language as a BCP-47 tag, which wins.
  var languageBCP47: String?
  /// FlagDefault, which is set when absent.
  var isDefault = true
  /// FlagForced.
  var isForced = false
  /// FlagHearingImpaired.
  var isHearingImpaired = false
  /// FlagVisualImpaired.
  var isVisualImpaired = false
  /// FlagTextDescriptions.
  var hasTextDescriptions = false
  /// FlagOriginal.
  var isOriginal = false
  /// FlagCommentary.
  var isCommentary = false
  /// Whether its frames are encrypted.
  var isEncrypted = false

  /// The language that counts.
  var storedLanguage: String { languageBCP47 ?? language }
  /// Whether libavformat makes a stream of it.
  var isStream: Bool { [1, 2, 17, 33].contains(type) && !codecID.isEmpty }

  /// Reads the children of a TrackEntry.
  init(_ entry: EBMLElement) {
    for field in entry.children {
      let isSet = field.number.map { $0 != 0 } ?? false
      switch field.id {
      case 0xD7: number = field.number ?? 0
      case 0x83: type = field.number ?? 0
      case 0x86: codecID = field.text
      case 0x536E: name = field.text.isEmpty ? nil : field.text
      case 0x22B59C: language = field.text
      case 0x22B59D: languageBCP47 = field.text.isEmpty ? nil : field.text
      case 0x88: isDefault = isSet
      case 0x55AA: isForced = isSet
      case 0x55AB: isHearingImpaired = isSet
      case 0x55AC: isVisualImpaired = isSet
      case 0x55AD: hasTextDescriptions = isSet
      case 0x55AE: isOriginal = isSet
      case 0x55AF: isCommentary = isSet
      case 0x6D80:
        isEncrypted = field.children.contains { $0.children.contains { $0.id == 0x5035 } }
      default: break
      }
    }
  }
}
