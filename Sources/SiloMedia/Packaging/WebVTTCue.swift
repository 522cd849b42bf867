/// One cue of a WebVTT document (W3C WebVTT, 3.1).
public struct WebVTTCue: Hashable, Sendable {
  /// When it appears, on the document's own clock.
  public var start: Duration
  /// When it goes; later than `start`.
  public var end: Duration
  /// Its identifier.
  public var id: String?
  /// Its settings as written: `line:0 align:start`.
  public var settings: String?
  /// Its payload as written, lines joined by a line feed.
  public var text: String

  /// A cue from `start` to `end`.
  public init(
    start: Duration, end: Duration, id: String? = nil, settings: String? = nil, text: String
  ) {
    self.start = start
    self.end = end
    self.id = id
    self.settings = settings
    self.text = text
  }

  /// The payload as SubRip writes it: bold, italic, underline and colours kept and closed, every other tag removed,
  /// entities decoded, no empty lines; another place than below in the middle as `{\an8}`.
  public var subRipText: String { styled.subRip }

  /// The payload without any tag.
  public var plainText: String { styled.plain }

  /// The payload and the settings, read.
  var styled: StyledText { StyledTextReader.read(text, as: .webVTT, settings: settings) }
}
