public import struct Foundation.URL

/// An HLS playlist of either kind (RFC 8216 and draft-pantos-hls-rfc8216bis).
public enum Playlist: Hashable, Sendable {
  /// Variants and renditions.
  case multivariant(MultivariantPlaylist)
  /// Segments.
  case media(MediaPlaylist)

  /// The largest playlist that is read, in bytes.
  public static let maximumByteCount = 64 << 20
  /// The most segments, or variants and renditions, that are read.
  public static let maximumEntryCount = 1_000_000

  /// Reads a playlist, as tolerant of quirks as its meaning stays certain; `warnings` name each quirk.
  ///
  /// `url` is where the bytes came from after redirects: references are resolved against it, and `variables` are those
  /// of the multivariant playlist that named it (EXT-X-DEFINE IMPORT). One pass over the bytes.
  /// Throws `.malformed`, naming the line, when there is neither a variant nor a segment, when both are there, or when a
  /// line cannot be understood or names what it may not.
  public static func parse(
    _ bytes: [UInt8], url: URL, variables: [String: String] = [:]
  ) throws(MediaError) -> Playlist {
    var draft = PlaylistDraft(url: url, imports: variables)
    guard bytes.count <= maximumByteCount else {
      throw draft.error("the playlist is larger than \(maximumByteCount) bytes")
    }
    let text = PlaylistLines(bytes, warnings: &draft.warnings)
    let kind = try kind(of: text, bytes, &draft)
    switch kind {
    case .multivariant:
      return .multivariant(try MultivariantPlaylistReader.read(text, &draft))
    case .media:
      return .media(try MediaPlaylistReader.read(text, &draft))
    }
  }

  private static let headerTag = Array("#EXTM3U".utf8)
  private static let variantTag = Array("#EXT-X-STREAM-INF".utf8)
  private static let segmentTag = Array("#EXTINF".utf8)

  private enum Kind { case multivariant, media }

  /// The tags decide which kind it is; the header is missed only when they do not.
  private static func kind(
    of text: PlaylistLines, _ bytes: [UInt8], _ draft: inout PlaylistDraft
  ) throws(MediaError) -> Kind {
    var (variant, segment, header): (PlaylistLine?, PlaylistLine?, PlaylistLine?)
    var hasReference = false
    for line in text.lines {
      guard line.isTag else {
        hasReference = hasReference || !line.isComment
        continue
      }
      if header == nil, line.bytes.elementsEqual(headerTag) { header = line }
      if variant == nil, line.bytes.hasPrefix(variantTag) { variant = line }
      if segment == nil, line.bytes.hasPrefix(segmentTag) { segment = line }
    }
    let first = text.lines.first
    if let variant, let segment {
      let later = variant.number > segment.number ? variant : segment
      throw draft.error(later, "variants and segments stand in one playlist")
    }
    guard let first else { throw draft.error("line 1: the playlist is empty") }
    if let header {
      if header.number != first.number {
        draft.warnings.note(first.number, "#EXTM3U is not the first line")
      } else if first.number > 1 {
        draft.warnings.note(1, "blank lines before #EXTM3U")
      }
    } else {
      guard variant != nil || segment != nil else {
        throw draft.error(first, "this is no playlist: #EXTM3U is missing")
      }
      draft.warnings.warn(first.number, "#EXTM3U is missing")
    }
    if variant != nil { return .multivariant }
    guard segment != nil || hasReference else {
      throw draft.error(
        text.lines.last ?? first, "the playlist ends with neither a variant nor a segment")
    }
    return .media
  }
}

/// What both readers share: where the playlist is, its variables, and how a line is reported.
struct PlaylistDraft {
  let url: URL
  let address: PlaylistAddress
  var variables: PlaylistVariables
  var warnings = PlaylistWarnings()
  var version = 1
  var isIndependent = false
  var start: PlaylistStart?

  init(url: URL, imports: [String: String]) {
    self.url = url
    address = PlaylistAddress(url)
    variables = PlaylistVariables(imports: imports, address: address)
  }

  /// An error about the whole text.
  func error(_ text: String) -> MediaError {
    MediaError(.malformed, text, subject: PlaylistText.name(of: url))
  }

  /// An error about one line, which is shown.
  func error(_ line: PlaylistLine, _ reason: String) -> MediaError {
    error("line \(line.number): \(reason): \(PlaylistText.quoted(line.bytes))")
  }

  /// The attributes of a tag with variables replaced; flaws become warnings.
  mutating func attributes(
    _ line: PlaylistLine, _ name: String, _ value: ArraySlice<UInt8>
  ) throws(MediaError) -> AttributeList {
    var list = AttributeList(value)
    for flaw in list.flaws { warnings.warn(line.number, "\(name): \(flaw)") }
    do {
      try list.substitute(variables)
    } catch {
      throw self.error(line, "\(name) \(error.reason)")
    }
    return list
  }

  /// What a reference names; a refusal is an error that shows the line.
  func resolve(
    _ reference: String, _ line: PlaylistLine, _ what: String
  ) throws(MediaError) -> URL {
    do {
      return try address.resolve(reference)
    } catch {
      throw self.error(line, "\(what) \(error.reason)")
    }
  }

  /// What a URI line names.
  func resolve(uriLine line: PlaylistLine, _ what: String) throws(MediaError) -> URL {
    let text: String
    do {
      text = try variables.substituted(String(decoding: line.bytes, as: UTF8.self))
    } catch {
      throw self.error(line, "\(what) \(error.reason)")
    }
    return try resolve(text, line, what)
  }

  /// Takes the tags that either kind may hold; false for any other.
  mutating func readCommon(
    _ line: PlaylistLine, _ name: String, _ value: ArraySlice<UInt8>, mayImport: Bool
  ) throws(MediaError) -> Bool {
    switch name {
    case "EXTM3U": break
    case "EXT-X-INDEPENDENT-SEGMENTS": isIndependent = true
    case "EXT-X-VERSION":
      if let number = PlaylistNumber.integer(value), number > 0, number < 1000 {
        version = Int(number)
      } else {
        warnings.note(line.number, "\(name) is no number")
      }
    case "EXT-X-START":
      let list = try attributes(line, name, value)
      if let offset = list.duration("TIME-OFFSET") {
        start = PlaylistStart(offset: offset, isPrecise: list.isYes("PRECISE"))
      } else {
        warnings.note(line.number, "\(name) has no TIME-OFFSET")
      }
    case "EXT-X-DEFINE":
      let list = try attributes(line, name, value)
      do {
        try variables.define(list, mayImport: mayImport)
      } catch {
        throw self.error(line, "\(name) \(error.reason)")
      }
    default: return false
    }
    return true
  }
}
