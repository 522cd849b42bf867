/// A file that lies beside a finished one for its sake and was written by this program, as its row has it.
struct Sidecar: Hashable, Sendable {
  /// What it is.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The server's manifest as it came.
    case manifest
    /// What a media centre reads.
    case note = "nfo"
    /// The poster.
    case poster
    /// The wide picture.
    case fanart
    /// The title as a picture.
    case clearlogo
    /// A picture out of an episode.
    case thumb
    /// Subtitles.
    case subtitles
  }

  /// Whom it belongs to.
  enum Owner: Hashable, Sendable {
    /// The finished file at this path.
    case file(String)
    /// All episodes below this folder of a series.
    case series(String)

    /// As a row has it: only that of a folder ends in a slash.
    var text: String {
      switch self {
      case .file(let path): path
      case .series(let folder): folder + "/"
      }
    }
  }

  /// The absolute path.
  var path: String
  /// Whom it belongs to, as `Owner.text`.
  var owner: String
  /// What it is.
  var kind: Kind
  /// Which download and revision it is of; empty where it stays the same.
  var version: String
  /// The length in bytes when it was written.
  var byteCount: Int64
  /// The modification time in nanoseconds since 1970 when it was written.
  var modified: Int64

  /// Whether `facts` are those of the file that was written.
  func isStill(_ facts: FileFacts?) -> Bool {
    facts.map { ($0.byteCount, $0.modified) == (byteCount, modified) } ?? false
  }

  /// What a file has behind its name while it is written.
  static let writing = ".side-part"

  /// Suffixes that no media file gets on the shelf, because its own companions have them.
  static let suffixes: Set<String> = [
    "nfo", "json", "jpg", "jpeg", "png", "webp", "srt", "vtt", "ass", "ssa", "sup", "ttml", "part",
  ]

  /// Whether `name` is one that files beside media have: what is looked for when nobody owns it any more.
  static func isName(_ name: String) -> Bool {
    if name.hasSuffix(writing) || name.hasSuffix(".nfo") || name.hasSuffix(".manifest.json") {
      return true
    }
    guard let dot = name.lastIndex(of: ".") else { return false }
    let (stem, suffix) = (name[..<dot], String(name[name.index(after: dot)...]))
    if ImageForm.suffixes.contains(suffix) {
      return ["poster", "fanart", "clearlogo", "thumb"].contains {
        stem == $0 || stem.hasSuffix("-\($0)")
      }
    }
    return SubtitleForm.suffixes.contains(suffix)
  }
}
