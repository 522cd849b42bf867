/// Where an item lies in a library that a media centre reads: folders and file, below the library's own folder (pure).
///
/// The shape that Kodi, Jellyfin and Plex read alike: `Film (2024)/Film (2024).mkv` and
/// `Series (2019)/Season 01/Series S01E02 - Title.mkv`; specials are season 0.
public struct ShelfName: Hashable, Sendable {
  /// What is to be named.
  public enum Subject: Hashable, Sendable {
    /// A film.
    case film(title: String, year: Int?)
    /// An episode, or several in one file.
    case episode(
      series: String, year: Int?, season: Int, episodes: ClosedRange<Int>, title: String?)
  }

  /// The folders from the outermost on, and the file without its suffix.
  public let folders: [String], stem: String

  /// The longest name of what lies beside a media file is so many bytes longer than its stem: `.xx-Xxxx.forced.sdh.srt` and
  /// `-fanart.jpg`; the side files of a download in progress are longer still.
  static let tailByteCount = max(".zh-Hant-HK.forced.sdh.srt".utf8.count, 8)

  /// The name of `subject`; every part is safe on ext4, NTFS, exFAT and SMB, and short enough for a folder that takes
  /// `nameByteLimit` bytes with all that will lie beside it.
  public init(_ subject: Subject, nameByteLimit: Int = 255) {
    let limit = FileName.byteLimit(inFolderOf: nameByteLimit) - Self.tailByteCount
    switch subject {
    case .film(let title, let year):
      let name = Self.named(title, year, limit)
      (folders, stem) = ([name], name)
    case .episode(let series, let year, let season, let episodes, let title):
      let number = Self.number(season: season, episodes)
      let plain = Self.safe(series, limit) ?? "Series"
      // The number tells episodes apart: it is never what is cut.
      let room = limit - number.utf8.count - 1
      let named = FileName(plain, byteLimit: max(16, room / 2))?.description ?? "Series"
      let head = "\(plain.utf8.count <= room ? plain : named) \(number)"
      let tail = title.flatMap { Self.safe($0, limit) }.map { " - \($0)" } ?? ""
      folders = [Self.named(series, year, limit), "Season \(Self.two(season))"]
      stem = Self.cut(head + tail, limit)
    }
  }

  /// The path below the library's folder, with the suffix of the file.
  public func path(suffix: String) -> String {
    (folders + ["\(stem).\(suffix)"]).joined(separator: "/")
  }

  private static func number(season: Int, _ episodes: ClosedRange<Int>) -> String {
    let last = episodes.count > 1 ? "-E\(two(episodes.upperBound))" : ""
    return "S\(two(season))E\(two(episodes.lowerBound))\(last)"
  }

  private static func two(_ number: Int) -> String {
    let number = max(0, number)
    return number < 10 ? "0\(number)" : "\(number)"
  }

  /// `Title (Year)`; the year is never what is cut.
  private static func named(_ title: String, _ year: Int?, _ limit: Int) -> String {
    let tail = year.map { " (\($0))" } ?? ""
    let own = safe(title, limit - tail.utf8.count) ?? "Untitled"
    // Many titles have their year already.
    return own.hasSuffix(tail) ? own : own + tail
  }

  /// One part of a path; what looks like a suffix is a part of a title.
  private static func safe(_ text: String, _ limit: Int) -> String? {
    FileName(text, byteLimit: max(16, limit)).map { $0.description }
  }

  private static func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var kept = ""
    var room = limit - "…".utf8.count
    for character in text {
      room -= character.utf8.count
      if room < 0 { break }
      kept.append(character)
    }
    while let last = kept.last, " -.".contains(last) { kept.removeLast() }
    return kept + "…"
  }
}
