import Foundation

/// An HLS presentation in a folder: playlists written by hand over segments of 4 s that ffmpeg cut.
///
/// Made once a process for each recipe; not to be changed, see `copy(to:)`. Folders: one per rendition (`video`,
/// `video-high`, `tr`, `en`, `de`, `ja`, `commentary`, `description`, or `muxed` and `de`), `subs-tr`, `subs-en-forced`,
/// `keys`, and `clear` with the same segments unencrypted.
package struct HLSFixture: Sendable {
  /// Where it is.
  package let folder: String
  /// What it is like.
  package let recipe: HLSRecipe

  /// The path of the multivariant playlist.
  package var master: String { folder + "/master.m3u8" }

  /// The audio renditions of a demuxed presentation, in the order of the playlist and of the film.
  package static let audioRenditions = ["tr", "en", "de", "ja", "commentary", "description"]

  /// The presentation of a recipe.
  package static func make(_ recipe: HLSRecipe = HLSRecipe()) async throws -> HLSFixture {
    let film = try await Film.mp4.path()
    let folder = try await FixtureCache.shared.folder(recipe.name) { folder in
      try await HLSKitchen(recipe: recipe, folder: folder, film: film).cook()
    }
    return HLSFixture(folder: folder, recipe: recipe)
  }

  /// A copy of it in a test's own folder.
  package func copy(to place: TemporaryFolder, as name: String = "hls") throws -> HLSFixture {
    try FileManager.default.copyItem(atPath: folder, toPath: place.path(name))
    return HLSFixture(folder: place.path(name), recipe: recipe)
  }

  /// The paths of a rendition's unencrypted segments in order, without the init section.
  package func clearSegments(of rendition: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/clear/\(rendition)")
    return names.filter { $0.hasPrefix("seg") }
      .sorted { ($0.count, $0) < ($1.count, $1) }
      .map { "\(folder)/clear/\(rendition)/\($0)" }
  }

  /// The unencrypted segments of a rendition joined, after the init section if there is one.
  package func clearBytes(of rendition: String) throws -> [UInt8] {
    let start = "\(folder)/clear/\(rendition)/init.mp4"
    let parts =
      (FileManager.default.fileExists(atPath: start) ? [start] : [])
      + (try clearSegments(of: rendition))
    return try parts.flatMap { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
  }
}
