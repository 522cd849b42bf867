import SiloMedia

/// The playlist of one rendition: all of its segments, nothing will be added (RFC 8216, section 4.3.3).
enum MediaPlaylist {
  /// The playlist of `track`.
  static func text(of track: HLSTrack, in segmenter: HLSSegmenter) -> String {
    let segments = segmenter.segments(of: track.id)
    let isText = track.id.kind == .subtitle
    let longest = segments.map { $0.duration / .seconds(1) }.max() ?? 1
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, Int(longest.rounded())))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    if !isText {
      lines.insert("#EXT-X-INDEPENDENT-SEGMENTS", at: 2)
      lines.append("#EXT-X-MAP:URI=\"init.mp4\"")
    }
    for segment in segments {
      lines.append("#EXTINF:\(DecimalText.text(segment.duration / .seconds(1), 6)),")
      lines.append(name(of: segment.number, isText: isText))
    }
    lines.append("#EXT-X-ENDLIST")
    return lines.joined(separator: "\n") + "\n"
  }

  /// What segment `number` is called.
  static func name(of number: Int, isText: Bool) -> String {
    "\(number).\(isText ? "vtt" : "m4s")"
  }

  /// The number of the segment that is called `name`; `nil` when none can be.
  static func number(of name: String, isText: Bool) -> Int? {
    guard let dot = name.firstIndex(of: "."), let number = Int(name[..<dot]), number >= 0,
      name == self.name(of: number, isText: isText)
    else { return nil }
    return number
  }
}

/// Chapters as Apple's players read them: a JSON list with a title for every language.
enum ChapterList {
  /// The chapters, in seconds from the start of the presentation.
  static func json(_ chapters: [Chapter], end: Duration) -> String {
    let rows = chapters.enumerated().map { number, chapter in
      let next = chapters.indices.contains(number + 1) ? chapters[number + 1].start : end
      let duration = max(.zero, (chapter.end ?? next) - chapter.start)
      let title = chapter.title ?? "Chapter \(number + 1)"
      return "{\"chapter\":\(number + 1),\"start-time\":\(seconds(chapter.start)),"
        + "\"duration\":\(seconds(duration)),"
        + "\"titles\":[{\"language\":\"und\",\"title\":\(JSONText.quoted(title))}]}"
    }
    return "[" + rows.joined(separator: ",\n") + "]\n"
  }

  private static func seconds(_ time: Duration) -> String {
    DecimalText.text(time / .seconds(1), 3)
  }
}
