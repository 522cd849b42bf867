import Foundation

/// A film of 24 s in four languages, made by ffmpeg: a pitch of its own for every track, so that one can hear which.
///
/// Video h264 160x90, 25 pictures a second, a keyframe every 2 s, B-frames. Audio in this order: `tr` AAC stereo
/// (default, "Türkçe"), `en` AC-3 5.1 ("English 5.1"), `de` AAC mono ("Deutsch"), `ja` AAC stereo (original, "日本語"),
/// `en` commentary ("Director's commentary"), `en` audio description ("Audio description"). Subtitles: `tr`, and `en`
/// forced ("Signs"). Chapters: "Opening" until 10 s, "Ending" until 24 s. Title: "Four Languages".
package enum Film: String, Sendable, CaseIterable {
  /// Matroska.
  case mkv
  /// MP4 with its index at the end.
  case mp4
  /// MP4 with its index in front.
  case faststart

  /// The duration in seconds.
  package static let duration = 24.0
  /// The languages of the audio tracks as Matroska and MP4 hold them.
  package static let audioLanguages = ["tur", "eng", "ger", "jpn", "eng", "eng"]
  /// The titles of the audio tracks.
  package static let audioTitles = [
    "Türkçe", "English 5.1", "Deutsch", "日本語", "Director's commentary", "Audio description",
  ]

  /// The path of the film, made once a process; not to be changed.
  package func path() async throws -> String {
    let folder = try await FixtureCache.shared.folder("film") { try await Film.make(in: $0) }
    return folder + "/" + fileName
  }

  /// A copy of the film in a test's own folder.
  package func copy(to folder: TemporaryFolder, as name: String? = nil) async throws -> String {
    let copy = folder.path(name ?? fileName)
    try FileManager.default.copyItem(atPath: try await path(), toPath: copy)
    return copy
  }

  private var fileName: String { self == .faststart ? "film-faststart.mp4" : "film.\(rawValue)" }

  private static let pitches = [440, 660, 880, 550, 330, 770]

  private static func make(in folder: String) async throws {
    let texts = ["tr": "Merhaba", "en": "SIGN"]
    for (name, text) in texts {
      let cues = stride(from: 1, to: 24, by: 4).enumerated().map { n, second in
        "\(n + 1)\n00:00:\(two(second)),000 --> 00:00:\(two(second + 2)),000\n\(text) \(n + 1)\n"
      }
      try Data(cues.joined(separator: "\n").utf8).write(
        to: URL(fileURLWithPath: "\(folder)/\(name).srt"))
    }
    let chapters = """
      ;FFMETADATA1
      title=Four Languages
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=10000
      title=Opening
      [CHAPTER]
      TIMEBASE=1/1000
      START=10000
      END=24000
      title=Ending

      """
    try Data(chapters.utf8).write(to: URL(fileURLWithPath: folder + "/chapters.txt"))
    try await Media.make(encoding(), in: folder)
    // Streams by kind: an MP4 would hand on its chapter track as data.
    let copy = [
      "-map", "0:v", "-map", "0:a", "-map", "0:s", "-c", "copy", "-map_metadata", "0", "-strict",
      "-2",
    ]
    // MP4 has a track's title in its handler.
    let handlers = audioTitles.enumerated().flatMap { n, title in
      ["-metadata:s:a:\(n)", "handler_name=\(title)"]
    }
    try await Media.make(
      ["-i", "film.mkv"] + copy + handlers + ["-c:s", "mov_text", "film.mp4"], in: folder)
    try await Media.make(
      ["-i", "film.mp4"] + copy + ["-movflags", "+faststart", "film-faststart.mp4"], in: folder)
  }

  private static func encoding() -> [String] {
    var arguments = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=24"]
    for pitch in pitches {
      arguments += ["-f", "lavfi", "-i", "sine=frequency=\(pitch):sample_rate=48000:duration=24"]
    }
    arguments += ["-i", "tr.srt", "-i", "en.srt", "-i", "chapters.txt"]
    for input in 0..<9 { arguments += ["-map", "\(input)"] }
    arguments += ["-map_metadata", "9", "-map_chapters", "9"]
    arguments += ["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-level", "1.3"]
    arguments += ["-pix_fmt", "yuv420p", "-bf", "2", "-g", "50", "-keyint_min", "50"]
    arguments += ["-sc_threshold", "0", "-b:v", "150k", "-c:a", "aac", "-b:a", "48k", "-ac:a", "2"]
    arguments += ["-c:a:1", "ac3", "-b:a:1", "192k", "-ac:a:1", "6", "-ac:a:2", "1", "-c:s", "srt"]
    for (n, language) in audioLanguages.enumerated() {
      arguments += ["-metadata:s:a:\(n)", "language=\(language)"]
      arguments += ["-metadata:s:a:\(n)", "title=\(audioTitles[n])", "-disposition:a:\(n)"]
      arguments.append(["default", "0", "0", "original", "comment", "visual_impaired"][n])
    }
    arguments += ["-metadata:s:s:0", "language=tur", "-metadata:s:s:0", "title=Türkçe"]
    arguments += ["-metadata:s:s:1", "language=eng", "-metadata:s:s:1", "title=Signs"]
    return arguments + ["-disposition:s:0", "0", "-disposition:s:1", "forced", "film.mkv"]
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
