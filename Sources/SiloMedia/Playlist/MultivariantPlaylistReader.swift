/// Reads the lines of a multivariant playlist.
struct MultivariantPlaylistReader {
  private var draft: PlaylistDraft
  private var variants: [MultivariantPlaylist.Variant] = []
  private var iFrameVariants: [MultivariantPlaylist.Variant] = []
  private var renditions: [Rendition] = []
  private var sessionData: [MultivariantPlaylist.SessionData] = []
  private var sessionKeys: [KeySighting] = []
  private var contentSteering: [String: String]?
  /// EXT-X-STREAM-INF whose URI line has not come yet.
  private var pending: (line: PlaylistLine, list: AttributeList)?

  /// Reads `text`, whose kind is known.
  static func read(
    _ text: PlaylistLines, _ draft: inout PlaylistDraft
  ) throws(MediaError) -> MultivariantPlaylist {
    var reader = MultivariantPlaylistReader(draft: draft)
    for line in text.lines {
      if line.isTag {
        try reader.readTag(line)
      } else if !line.isComment {
        try reader.readReference(line)
      }
    }
    return try reader.finished(text)
  }

  private init(draft: PlaylistDraft) { self.draft = draft }

  private mutating func readReference(_ line: PlaylistLine) throws(MediaError) {
    guard let (tag, list) = pending else {
      draft.warnings.warn(line.number, "a URI without EXT-X-STREAM-INF is left out")
      return
    }
    pending = nil
    let url = try draft.resolve(uriLine: line, "the variant")
    variants.append(MultivariantPlaylist.Variant(list, url: url, line: tag.number))
    try checkCount(line)
  }

  private mutating func readTag(_ line: PlaylistLine) throws(MediaError) {
    let (name, value) = line.tag
    if try draft.readCommon(line, name, value, mayImport: false) { return }
    switch name {
    case "EXT-X-STREAM-INF":
      warnOfPending()
      let list = try draft.attributes(line, name, value)
      if list.integer("BANDWIDTH") == nil {
        draft.warnings.warn(line.number, "\(name) without BANDWIDTH")
      }
      pending = (line, list)
    case "EXT-X-MEDIA":
      try readRendition(line, try draft.attributes(line, name, value))
    case "EXT-X-I-FRAME-STREAM-INF":
      let list = try draft.attributes(line, name, value)
      guard let reference = list.text("URI") else {
        draft.warnings.note(line.number, "\(name) without URI is left out")
        return
      }
      let url = try draft.resolve(reference, line, "the I-frame playlist")
      iFrameVariants.append(MultivariantPlaylist.Variant(list, url: url, line: line.number))
    case "EXT-X-SESSION-DATA":
      try readSessionData(line, try draft.attributes(line, name, value))
    case "EXT-X-SESSION-KEY":
      let list = try draft.attributes(line, name, value)
      do {
        if let key = try SegmentKey(list, address: draft.address) {
          sessionKeys.append(KeySighting(line: line.number, tag: name, key: key))
        }
      } catch {
        throw draft.error(line, "\(name) \(error.reason)")
      }
    case "EXT-X-CONTENT-STEERING":
      contentSteering = try draft.attributes(line, name, value).dictionary
    default:
      draft.warnings.note(line.number, "\(PlaylistText.quoted(name.utf8)) is not used")
    }
    try checkCount(line)
  }

  private mutating func readRendition(
    _ line: PlaylistLine, _ list: AttributeList
  ) throws(MediaError) {
    guard let kind = list["TYPE"].flatMap(Rendition.Kind.init(rawValue:)) else {
      draft.warnings.warn(line.number, "EXT-X-MEDIA of an unknown TYPE is left out")
      return
    }
    for attribute in ["GROUP-ID", "NAME"] where list.text(attribute) == nil {
      draft.warnings.warn(line.number, "EXT-X-MEDIA without \(attribute)")
    }
    var rendition = Rendition(list, kind: kind, line: line.number)
    if let reference = list.text("URI") {
      rendition.url = try draft.resolve(reference, line, "the rendition")
    } else if kind == .subtitles {
      draft.warnings.warn(line.number, "EXT-X-MEDIA of subtitles without URI")
    }
    renditions.append(rendition)
  }

  private mutating func readSessionData(
    _ line: PlaylistLine, _ list: AttributeList
  ) throws(MediaError) {
    guard let id = list.text("DATA-ID") else {
      draft.warnings.note(line.number, "EXT-X-SESSION-DATA without DATA-ID is left out")
      return
    }
    var data = MultivariantPlaylist.SessionData(
      id: id, value: list["VALUE"], url: nil, format: list.text("FORMAT") ?? "JSON",
      language: list.text("LANGUAGE"))
    if let reference = list.text("URI") {
      data.url = try draft.resolve(reference, line, "the session data")
    }
    sessionData.append(data)
  }

  private mutating func warnOfPending() {
    guard let line = pending?.line else { return }
    draft.warnings.warn(line.number, "EXT-X-STREAM-INF without a URI is left out")
    pending = nil
  }

  private func checkCount(_ line: PlaylistLine) throws(MediaError) {
    let count = variants.count + renditions.count + iFrameVariants.count + sessionData.count
    guard count <= Playlist.maximumEntryCount else {
      throw draft.error(line, "there are more than \(Playlist.maximumEntryCount) entries")
    }
  }

  private mutating func finished(_ text: PlaylistLines) throws(MediaError) -> MultivariantPlaylist {
    warnOfPending()
    guard !variants.isEmpty else {
      throw draft.error("line \(text.count): the playlist ends without the URI of any variant")
    }
    return MultivariantPlaylist(
      url: draft.url, version: draft.version, variants: variants, renditions: renditions,
      iFrameVariants: iFrameVariants, sessionData: sessionData, sessionKeys: sessionKeys,
      variables: draft.variables.values, contentSteering: contentSteering,
      isIndependent: draft.isIndependent, start: draft.start, warnings: draft.warnings.list)
  }
}
