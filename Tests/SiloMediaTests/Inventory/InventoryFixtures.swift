import Foundation
import SiloMedia
import SiloTestSupport

/// Small media of every container that is looked into, made once for all suites.
enum InventoryFixtures {
  private static let making = Task { try await make() }

  /// The folder with all of them.
  static var folder: TemporaryFolder { get async throws { try await making.value } }

  /// A file among them as a source.
  static func source(_ name: String) async throws -> MediaSource {
    try .file(URL(fileURLWithPath: try await folder.path(name)))
  }

  private static func make() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("words.srt", "1\n00:00:00,500 --> 00:00:02,000\nHello\n")
    try folder.write(
      "chapters.txt",
      """
      ;FFMETADATA1
      title=The Film
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=2000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=2000
      END=6000
      title=Two

      """)
    let picture = "-f lavfi -i testsrc2=s=160x90:r=24:d=6 "
    let sounds = "-f lavfi -i sine=440:d=6:r=48000 -f lavfi -i sine=880:d=6:r=48000 "
    let film =
      picture + sounds + "-i words.srt -i chapters.txt -map 0:v -map 1:a -map 2:a -map 3 "
      + "-map_metadata 4 -c:v libx264 -preset ultrafast -c:a:0 aac -b:a:0 96k -c:a:1 ac3 "
      + "-b:a:1 192k -ac:a:1 6 -metadata:s:a:0 language=eng -metadata:s:a:0 title=Main "
      + "-metadata:s:a:1 language=tur -metadata:s:a:1 title=Commentary -disposition:a:1 comment "
      + "-metadata:s:s:0 language=ger "
    let jobs = [
      film + "-c:s mov_text end.mp4",
      film + "-c:s mov_text -movflags +faststart fast.mp4",
      film + "-c:s mov_text -movflags +frag_keyframe+empty_moov+delay_moov fragments.mp4",
      film + "-c:s srt -disposition:s:0 forced plain.mkv",
      picture + sounds + "-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -c:a aac "
        + "-metadata:s:a:0 language=eng -metadata:s:a:1 language=fra segment.ts",
      picture + sounds + "-map 0:v -map 1:a -c:v libvpx -c:a libopus film.webm",
      sounds + "-map 0 -c:a libmp3lame sound.mp3", sounds + "-map 0 -c:a flac sound.flac",
      sounds + "-map 0 -c:a aac -f adts sound.aac", sounds + "-map 0 sound.wav",
      sounds + "-map 0 -c:a libvorbis sound.ogg", sounds + "-map 0 -c:a ac3 sound.ac3",
      picture + "-c:v libx264 -preset ultrafast -encryption_scheme cenc-aes-ctr "
        + "-encryption_key 00112233445566778899aabbccddeeff "
        + "-encryption_kid 00112233445566778899aabbccddeeff locked.mp4",
    ]
    for job in jobs { try await Media.make(job, in: folder.path) }
    try await runSuccessfully(
      "mkvmerge",
      ["-q", "-o", "tagged.mkv", "--language", "1:pt-BR", "--language", "2:zh-Hant"]
        + ["--track-name", "2:Yorum", "--original-flag", "1", "--commentary-flag", "2"]
        + ["--hearing-impaired-flag", "3", "plain.mkv"], in: folder.path)
    return folder
  }
}

/// The bytes of one stream's packets as ffprobe counts them: what an exact size must be.
func packetBytes(_ path: String, stream: Int) async throws -> Int64 {
  let result = try await runSuccessfully(
    "ffprobe",
    ["-v", "error", "-select_streams", String(stream), "-show_entries", "packet=size"]
      + ["-of", "csv=p=0", path])
  return result.lines.compactMap { Int64($0.trimmingCharacters(in: [","])) }.reduce(0, +)
}
