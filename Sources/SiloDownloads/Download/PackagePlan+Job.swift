import Foundation
import SiloMedia

extension PackagePlan {
  /// The plan that writes the chosen tracks of `inventory` out of `inputs`.
  ///
  /// - Parameter inputOf: The index among `inputs` of the input that holds the rendition with an index, or of the one file
  ///   for `nil`.
  init(
    selection: TrackSelection, inventory: MediaInventory, inputs: [PackageInput],
    inputOf: (Int?) -> Int?, container: OutputContainer
  ) throws {
    var tracks: [PackageTrack] = []
    func place(_ id: TrackID, _ place: TrackPlace) throws -> (input: Int, ordinal: Int) {
      let (rendition, ordinal): (Int?, Int) =
        switch place {
        case .stream: (nil, id.ordinal)
        case .rendition(let index, let ordinal): (index, ordinal)
        }
      guard let input = inputOf(rendition) else {
        throw DownloadError(.integrity, "track \(id) was chosen but not fetched")
      }
      return (input, ordinal)
    }
    for track in inventory.video where selection.video.contains(track.id) {
      let (input, ordinal) = try place(track.id, track.place)
      tracks.append(
        PackageTrack(
          id: track.id, input: input, ordinal: ordinal, language: track.language,
          title: Self.plain(track.title), isDefault: track.id == selection.video.first))
    }
    for track in inventory.audio where selection.audio.contains(track.id) {
      let (input, ordinal) = try place(track.id, track.place)
      tracks.append(
        PackageTrack(
          id: track.id, input: input, ordinal: ordinal, language: track.language,
          title: Self.plain(track.title), isDefault: track.id == selection.defaultAudio,
          role: track.role,
          isOriginal: track.isOriginal))
    }
    for track in inventory.subtitles where selection.subtitles.contains(track.id) {
      let (input, ordinal) = try place(track.id, track.place)
      tracks.append(
        PackageTrack(
          id: track.id, input: input, ordinal: ordinal, language: track.language,
          title: Self.plain(track.title), isDefault: track.isDefault,
          role: track.isCommentary ? .commentary : .main, isForced: track.isForced,
          isHearingImpaired: track.isHearingImpaired))
    }
    self.init(
      inputs: inputs, tracks: tracks, chapters: inventory.chapters,
      title: Self.plain(inventory.title),
      container: container)
  }

  /// A title without what cannot be written or would take a terminal over: control characters and marks that turn text round.
  private static func plain(_ title: String?) -> String? {
    guard let title else { return nil }
    let kept = title.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
      case .format: scalar.value == 0x200C || scalar.value == 0x200D
      default: true
      }
    }
    let text = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }
}
