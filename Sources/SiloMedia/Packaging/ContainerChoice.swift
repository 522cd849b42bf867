/// Which container holds chosen tracks without loss, and why.
public struct ContainerChoice: Hashable, Sendable {
  /// The container.
  public let container: OutputContainer
  /// The track that kept it from being MP4 and its codec, in one sentence; `nil` when it is what was asked or MP4.
  public let reason: String?

  private static let mp4Codecs: Set<Codec> = [
    "h264", "hevc", "av1", "vp9", "aac", "ac3", "eac3", "mp3", "alac", "opus", "flac", "mov_text",
    "subrip", "webvtt", "text",
  ]

  /// Chooses for `tracks` of `inventory`; `asked` is `nil` for the best fit, which is MP4 where it loses nothing.
  ///
  /// Throws `.unsupported`, naming the track, when MP4 was asked and one does not fit.
  public static func choose(
    for tracks: [TrackID], of inventory: MediaInventory, asked: OutputContainer? = nil
  ) throws -> ContainerChoice {
    guard asked != .mkv else { return ContainerChoice(container: .mkv, reason: nil) }
    var codecs: [TrackID: Codec] = [:]
    for track in inventory.video { codecs[track.id] = track.codec }
    for track in inventory.audio { codecs[track.id] = track.codec }
    for track in inventory.subtitles { codecs[track.id] = track.codec }
    for track in tracks {
      guard let codec = codecs[track], !mp4Codecs.contains(codec) else { continue }
      let reason = "The track \(track) is \(codec.name), which MP4 does not hold without loss."
      guard asked == nil else {
        throw MediaError(.unsupported, "\(reason) Ask for mkv, or leave the track out.")
      }
      return ContainerChoice(container: .mkv, reason: reason)
    }
    return ContainerChoice(container: .mp4, reason: nil)
  }
}
