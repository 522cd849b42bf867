import Foundation

/// Cuts, encrypts and describes one HLS presentation.
struct HLSKitchen {
  let recipe: HLSRecipe
  let folder: String
  let film: String

  /// A rendition: what it is called, which streams of the film it carries, and how late it is.
  private struct Part {
    let name: String
    let streams: [String]
    let delay: Double
  }

  func cook() async throws {
    try await cutFilm()
    if !recipe.isMuxed { try await cutHighVideo() }
    let names = parts.map(\.name) + (recipe.isMuxed ? [] : ["video-high"])
    var keys = HLSKeys(folder: folder)
    for name in names {
      let playlist = try HLSPlaylistWriter(recipe: recipe, folder: folder).serve(
        name, keys: &keys)
      try write(playlist, to: "\(name)/index.m3u8")
    }
    for (name, text) in [("subs-tr", "Merhaba"), ("subs-en-forced", "SIGN")] {
      try writeSubtitles(name, text)
    }
    try write(HLSMaster(recipe: recipe, folder: folder).text(), to: "master.m3u8")
  }

  private var parts: [Part] {
    let delay = recipe.audioDelay
    if recipe.isMuxed {
      return [
        Part(name: "muxed", streams: ["v:0", "a:0", "a:1"], delay: 0),
        Part(name: "de", streams: ["a:2"], delay: delay),
      ]
    }
    return [Part(name: "video", streams: ["v:0"], delay: 0)]
      + recipe.audioRenditions.enumerated().map { n, name in
        Part(name: name, streams: ["a:\(n)"], delay: delay)
      }
  }

  /// Cuts every part of the film in one run of ffmpeg.
  private func cutFilm() async throws {
    var arguments = ["-copyts", "-i", film]
    for part in parts {
      // The first packet of an encoder lies before 0; it is moved to where the recipe wants the rendition to start.
      let first = try await Probe.times(
        film, part.streams[0], options: ["-read_intervals", "%+0.2"]
      ).min()
      for stream in part.streams { arguments += ["-map", "0:\(stream)"] }
      let offset = recipe.start + part.delay - (first ?? 0)
      arguments += try ["-c", "copy"] + output(offset: offset, into: part.name)
    }
    try await Media.make(arguments, in: folder)
  }

  private func cutHighVideo() async throws {
    let video = try await FixtureCache.shared.folder("high-video") { place in
      let source = "testsrc2=size=320x180:rate=25:duration=24"
      let coder = ["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-level", "1.3"]
      let rate = ["-pix_fmt", "yuv420p", "-bf", "2", "-g", "50", "-keyint_min", "50"]
      try await Media.make(
        ["-f", "lavfi", "-i", source] + coder + rate + ["-sc_threshold", "0", "-b:v", "400k"]
          + ["high.mp4"], in: place)
    }
    try await Media.make(
      ["-copyts", "-i", video + "/high.mp4", "-c", "copy"]
        + output(offset: recipe.start, into: "video-high"), in: folder)
  }

  private func output(offset: Double, into name: String) throws -> [String] {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/clear/\(name)", withIntermediateDirectories: true)
    var output = ["-output_ts_offset", String(format: "%.6f", offset), "-muxdelay", "0"]
    output += ["-muxpreload", "0", "-avoid_negative_ts", "disabled", "-map_chapters", "-1"]
    output += ["-f", "hls", "-hls_time", "4", "-hls_list_size", "0"]
    if recipe.form == .fmp4 {
      output += ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
    }
    let suffix = recipe.form == .fmp4 ? "m4s" : "ts"
    output += ["-hls_segment_filename", "clear/\(name)/seg%d.\(suffix)"]
    return output + ["clear/\(name)/index.m3u8"]
  }

  /// Segments of WebVTT whose cue times count from the first picture; a cue over an edge is in both segments.
  private func writeSubtitles(_ name: String, _ text: String) throws {
    let clock = Int64((recipe.start * 90_000).rounded()) % (1 << 33)
    var cues: [(start: Double, end: Double, text: String)] = []
    for n in 0..<6 {
      let start = Double(1 + 4 * n)
      cues.append((start, start + 2, "\(text) \(n + 1)"))
    }
    cues.insert((7.5, 8.5, text + " over the edge"), at: 2)
    var playlist = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n"
    playlist += "#EXT-X-MEDIA-SEQUENCE:\(recipe.firstSequence)\n#EXT-X-PLAYLIST-TYPE:VOD\n"
    for n in 0..<6 {
      let (from, to) = (Double(n * 4), Double(n * 4 + 4))
      var segment = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(clock),LOCAL:00:00:00.000\n\n"
      for cue in cues where cue.start < to && cue.end > from {
        segment += "\(time(cue.start)) --> \(time(cue.end))\n\(cue.text)\n\n"
      }
      try write(segment, to: "\(name)/seg\(n).vtt")
      playlist += "#EXTINF:4.000000,\nseg\(n).vtt\n"
    }
    try write(playlist + "#EXT-X-ENDLIST\n", to: "\(name)/index.m3u8")
  }

  private func time(_ seconds: Double) -> String { String(format: "00:00:%06.3f", seconds) }

  private func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: folder + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}

/// The keys of a presentation, numbered as they are made.
struct HLSKeys {
  let folder: String
  private var count = 0

  init(folder: String) { self.folder = folder }

  /// Makes a key and returns its bytes and its name from a rendition's playlist.
  mutating func next() throws -> (bytes: [UInt8], uri: String) {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: (count + 1) * 37 + $0 * 11) }
    let place = folder + "/keys"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(place)/key\(count).bin"))
    defer { count += 1 }
    return (bytes, "../keys/key\(count).bin")
  }
}
