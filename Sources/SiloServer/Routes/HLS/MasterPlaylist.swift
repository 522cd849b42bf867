import SiloMedia

/// The playlist that names every rendition of a file (RFC 8216, section 4.3.4).
struct MasterPlaylist {
  let segmenter: HLSSegmenter

  private var video: HLSTrack? { tracks(.video).first }

  private func tracks(_ kind: TrackID.Kind) -> [HLSTrack] {
    segmenter.tracks.filter { $0.id.kind == kind }
  }

  /// The playlist.
  var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    lines += segmenter.leftOut.map { "# left out: \($0)" }
    if !segmenter.chapters.isEmpty {
      lines.append(
        "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\"")
    }
    let (audio, subtitles) = (tracks(.audio), tracks(.subtitle))
    let first = defaultAudio(audio)
    for (track, name) in zip(audio, RenditionNames.names(of: audio)) {
      lines.append(audioLine(track, name: name, isDefault: track.id == first?.id))
    }
    let shown = subtitles.first { $0.isDefault && !$0.isForced }
    for (track, name) in zip(subtitles, RenditionNames.names(of: subtitles)) {
      lines.append(subtitleLine(track, name: name, isDefault: track.id == shown?.id))
    }
    lines.append(variantLine(audio: audio, hasSubtitles: !subtitles.isEmpty))
    if let leader = video ?? first { lines.append("\(leader.id)/index.m3u8") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func defaultAudio(_ audio: [HLSTrack]) -> HLSTrack? {
    audio.first { $0.isDefault && $0.role == .main } ?? audio.first { $0.role == .main }
      ?? audio.first
  }

  private func audioLine(_ track: HLSTrack, name: String, isDefault: Bool) -> String {
    var parts = ["TYPE=AUDIO", "GROUP-ID=\"audio\"", "NAME=\"\(name)\""]
    if let language = track.language { parts.append("LANGUAGE=\"\(language)\"") }
    parts.append("DEFAULT=\(isDefault ? "YES" : "NO")")
    // A commentary is never what a player should choose by itself.
    parts.append("AUTOSELECT=\(isDefault || track.role != .commentary ? "YES" : "NO")")
    if track.role == .description {
      parts.append("CHARACTERISTICS=\"public.accessibility.describes-video\"")
    }
    if let channels = track.channels { parts.append("CHANNELS=\"\(channels)\"") }
    // Without pictures the variant is the default rendition itself.
    if video != nil || !isDefault { parts.append("URI=\"\(track.id)/index.m3u8\"") }
    return "#EXT-X-MEDIA:" + parts.joined(separator: ",")
  }

  private func subtitleLine(_ track: HLSTrack, name: String, isDefault: Bool) -> String {
    var parts = ["TYPE=SUBTITLES", "GROUP-ID=\"subtitles\"", "NAME=\"\(name)\""]
    if let language = track.language { parts.append("LANGUAGE=\"\(language)\"") }
    parts.append("DEFAULT=\(isDefault ? "YES" : "NO")")
    parts.append("AUTOSELECT=\(track.isForced || track.language != nil ? "YES" : "NO")")
    parts.append("FORCED=\(track.isForced ? "YES" : "NO")")
    if track.isHearingImpaired {
      parts.append(
        "CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
          + "public.accessibility.describes-music-and-sound\"")
    }
    parts.append("URI=\"\(track.id)/index.m3u8\"")
    return "#EXT-X-MEDIA:" + parts.joined(separator: ",")
  }

  private func variantLine(audio: [HLSTrack], hasSubtitles: Bool) -> String {
    let pictures = video.map { Bandwidth(segmenter.segments(of: $0.id), isVideo: true) }
    let sounds = audio.map { Bandwidth(segmenter.segments(of: $0.id), isVideo: false) }
    let peak = (pictures?.peak ?? 0) + (sounds.map(\.peak).max() ?? 0)
    let average = (pictures?.average ?? 0) + (sounds.map(\.average).max() ?? 0)
    var parts = ["BANDWIDTH=\(max(peak, average))", "AVERAGE-BANDWIDTH=\(average)"]
    var codecs: [String] = []
    for track in (video.map { [$0] } ?? []) + audio {
      if let name = segmenter.codecStrings[track.id], !codecs.contains(name) {
        codecs.append(name)
      }
    }
    if !codecs.isEmpty { parts.append("CODECS=\"\(codecs.joined(separator: ","))\"") }
    if let width = video?.width, let height = video?.height {
      parts.append("RESOLUTION=\(width)x\(height)")
    }
    if let rate = video?.frameRate { parts.append("FRAME-RATE=\(DecimalText.text(rate, 3))") }
    if !audio.isEmpty { parts.append("AUDIO=\"audio\"") }
    if hasSubtitles { parts.append("SUBTITLES=\"subtitles\"") }
    parts.append("CLOSED-CAPTIONS=NONE")
    return "#EXT-X-STREAM-INF:" + parts.joined(separator: ",")
  }
}

/// Numbers with a fixed count of decimals, whatever the locale.
enum DecimalText {
  /// `number` with `places` decimals, rounded.
  static func text(_ number: Double, _ places: Int) -> String {
    let scale = (0..<places).reduce(1) { value, _ in value * 10 }
    let scaled = Int64((number * Double(scale)).rounded())
    let fraction = String(abs(scaled) % Int64(scale))
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / Int64(scale)).\(zeros)\(fraction)"
  }
}
