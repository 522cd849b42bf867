/// What a file is, told by its name.
enum MediaType {
  /// The type for Content-Type.
  static func of(_ name: String) -> String {
    types[pathExtension(of: name)] ?? "application/octet-stream"
  }

  /// Whether the name is that of a film, an episode or a recording.
  static func isMedia(_ name: String) -> Bool { media.contains(pathExtension(of: name)) }

  /// The name without its extension.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func pathExtension(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  private static let media: Set<String> = [
    "mkv", "mk3d", "webm", "mp4", "m4v", "mov", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "wmv",
    "asf", "flv", "3gp", "ogv", "mka", "m4a", "m4b", "mp3", "flac", "ogg", "oga", "opus", "wav",
    "aac", "ac3", "eac3",
  ]

  private static let types: [String: String] = [
    "mkv": "video/x-matroska", "mk3d": "video/x-matroska", "mka": "audio/x-matroska",
    "mks": "application/x-matroska", "webm": "video/webm", "mp4": "video/mp4",
    "m4v": "video/x-m4v", "m4s": "video/iso.segment", "cmfv": "video/mp4", "cmfa": "audio/mp4",
    "mov": "video/quicktime", "avi": "video/x-msvideo", "ts": "video/mp2t", "m2ts": "video/mp2t",
    "mts": "video/mp2t", "mpg": "video/mpeg", "mpeg": "video/mpeg", "wmv": "video/x-ms-wmv",
    "asf": "video/x-ms-asf", "flv": "video/x-flv", "3gp": "video/3gpp", "ogv": "video/ogg",
    "m4a": "audio/mp4", "m4b": "audio/mp4", "mp3": "audio/mpeg", "flac": "audio/flac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "aac": "audio/aac", "ac3": "audio/ac3", "eac3": "audio/eac3",
    "m3u8": "application/vnd.apple.mpegurl", "m3u": "audio/x-mpegurl",
    "mpd": "application/dash+xml", "vtt": "text/vtt", "srt": "application/x-subrip",
    "ass": "text/x-ssa", "ssa": "text/x-ssa", "sup": "application/octet-stream",
    "ttml": "application/ttml+xml", "key": "application/octet-stream",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp",
    "gif": "image/gif", "avif": "image/avif", "nfo": "text/xml; charset=utf-8",
    "xml": "application/xml", "json": "application/json", "txt": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript",
  ]
}
