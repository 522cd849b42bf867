import SiloMedia
import Testing

@Suite("Container choice")
struct ContainerChoiceTests {
  private func inventory(_ video: Codec, _ audio: [Codec], _ text: [Codec]) -> MediaInventory {
    MediaInventory(
      kind: .file,
      video: [VideoTrack(id: TrackID(.video, 0), place: .stream(0), codec: video)],
      audio: audio.enumerated().map {
        AudioTrack(id: TrackID(.audio, $0), place: .stream($0 + 1), codec: $1)
      },
      subtitles: text.enumerated().map {
        SubtitleTrack(id: TrackID(.subtitle, $0), place: .stream($0 + 9), codec: $1)
      })
  }

  @Test("mp4 when everything chosen fits without loss, else mkv with the track that does not")
  func auto() throws {
    let rows: [(Codec, [Codec], [Codec], OutputContainer, String?)] = [
      ("h264", ["aac", "ac3"], ["subrip"], .mp4, nil),
      ("hevc", ["eac3", "opus", "flac", "mp3", "alac"], ["webvtt", "mov_text"], .mp4, nil),
      ("h264", ["aac", "dts"], [], .mkv, "a1"), ("h264", ["truehd"], [], .mkv, "a0"),
      ("h264", ["pcm_s16le"], [], .mkv, "a0"), ("vp8", ["vorbis"], [], .mkv, "v0"),
      ("h264", ["aac"], ["ass"], .mkv, "s0"), ("h264", ["aac"], ["hdmv_pgs_subtitle"], .mkv, "s0"),
    ]
    for (video, audio, text, container, track) in rows {
      let inventory = inventory(video, audio, text)
      let all = TrackSelection(
        video: inventory.video.map(\.id), audio: inventory.audio.map(\.id),
        subtitles: inventory.subtitles.map(\.id))
      let choice = try ContainerChoice.choose(for: all.tracks, of: inventory)
      #expect(choice.container == container)
      #expect(track.map { choice.reason?.contains($0) == true } ?? (choice.reason == nil))
      if container == .mkv {
        #expect(throws: MediaError.self) {
          try ContainerChoice.choose(for: all.tracks, of: inventory, asked: .mp4)
        }
      }
      let asked = try ContainerChoice.choose(for: all.tracks, of: inventory, asked: .mkv)
      #expect(asked.container == .mkv)
    }
  }

  @Test("what was not chosen does not matter")
  func unchosen() throws {
    let inventory = inventory("h264", ["dts", "aac"], [])
    let selection = TrackSelection(video: [TrackID(.video, 0)], audio: [TrackID(.audio, 1)])
    let choice = try ContainerChoice.choose(for: selection.tracks, of: inventory, asked: .mp4)
    #expect(choice.container == .mp4)
  }
}
