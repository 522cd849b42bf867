import struct Foundation.URL

extension MultivariantPlaylist.Variant {
  /// Reads EXT-X-STREAM-INF or EXT-X-I-FRAME-STREAM-INF.
  init(_ list: AttributeList, url: URL, line: Int) {
    self.url = url
    self.line = line
    bandwidth = list.integer("BANDWIDTH")
    averageBandwidth = list.integer("AVERAGE-BANDWIDTH")
    score = list["SCORE"].flatMap(Double.init)
    codecs = list.list("CODECS")
    supplementalCodecs = list.list("SUPPLEMENTAL-CODECS")
    let sides = (list["RESOLUTION"] ?? "").lowercased().split(separator: "x").map { Int($0) }
    if sides.count == 2, let w = sides[0], let h = sides[1], w > 0, h > 0 {
      (width, height) = (w, h)
    }
    frameRate = list["FRAME-RATE"].flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    videoRange = list.text("VIDEO-RANGE")
    hdcpLevel = list.text("HDCP-LEVEL")
    audioGroup = list.text("AUDIO")
    videoGroup = list.text("VIDEO")
    subtitleGroup = list.text("SUBTITLES")
    captionGroup = list.text("CLOSED-CAPTIONS").flatMap { $0 == "NONE" ? nil : $0 }
    name = list.text("NAME")
    pathwayID = list.text("PATHWAY-ID")
    stableID = list.text("STABLE-VARIANT-ID")
  }
}

extension Rendition {
  /// Reads EXT-X-MEDIA, all but its URI.
  init(_ list: AttributeList, kind: Kind, line: Int) {
    self.kind = kind
    self.line = line
    groupID = list["GROUP-ID"] ?? ""
    name = list.text("NAME")
    language = list.text("LANGUAGE")
    associatedLanguage = list.text("ASSOC-LANGUAGE")
    isDefault = list.isYes("DEFAULT")
    isAutoselect = list.isYes("AUTOSELECT") || list.isYes("DEFAULT")
    isForced = list.isYes("FORCED")
    characteristics = list.list("CHARACTERISTICS")
    channels = list.text("CHANNELS")
    sampleRate = list.integer("SAMPLE-RATE").flatMap { $0 > 0 ? $0 : nil }
    instreamID = list.text("INSTREAM-ID")
    stableID = list.text("STABLE-RENDITION-ID")
  }
}

extension AttributeList {
  /// Every attribute as text.
  var dictionary: [String: String] {
    Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
