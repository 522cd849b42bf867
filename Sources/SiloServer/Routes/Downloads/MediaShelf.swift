package import SiloContract

/// What there is to download: the part of a catalog that the download routes ask.
package protocol MediaShelf: Sendable {
  /// The film, series, season or episode with the id; `nil` when there is none.
  ///
  /// Its versions are the files that are there, a series and a season have none.
  func item(_ id: String) async throws -> ItemDetail?
  /// The episodes of a series in the order of seasons and numbers, those without a file too; only those of `season`
  /// when one is given.
  func episodes(of series: String, season: Int?) async throws -> [ItemDetail]
  /// One file; `nil` when there is none.
  func file(_ id: MediaFileID) async throws -> ShelfFile?
  /// Whether one of the files is no more what is known of it; if so, all is known anew when this returns.
  func lookAgain(at files: [MediaFileID]) async throws -> Bool
  /// Opens the bytes of a file as they are now; `nil` when it is gone from the disk.
  func open(_ id: MediaFileID) async throws -> OpenAsset?
  /// Opens a subtitle file of a file, by its place in `ShelfFile.subtitles`.
  func openSubtitle(_ index: Int, of id: MediaFileID) async throws -> OpenAsset?
  /// Opens an image of a film, a series or an episode itself; `nil` when it has none.
  func openArtwork(_ kind: ArtworkKind, of item: String) async throws -> OpenAsset?
  /// The kinds of images that an item has itself.
  func artworkKinds(of item: String) async throws -> Set<ArtworkKind>
}

extension MediaShelf {
  /// A shelf that knows its files by heart.
  package func lookAgain(at files: [MediaFileID]) async throws -> Bool { false }
}

/// One media file, as far as a download needs it.
package struct ShelfFile: Sendable, Hashable {
  /// What it is technically, with the name it has on the server.
  package var version: MediaVersion
  /// The film, or the series of an episode.
  package var contentID: String
  /// The episode; `nil` for a film.
  package var episodeID: String?
  /// When it was last changed, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// The OSHash, 16 hexadecimal digits; `nil` for files that are too short for it.
  package var hash: String?
  /// The subtitle files beside it, in the order of their places.
  package var subtitles: [ShelfSubtitle]

  /// A file.
  package init(
    version: MediaVersion, contentID: String, episodeID: String? = nil, modifiedNanoseconds: Int64,
    hash: String? = nil, subtitles: [ShelfSubtitle] = []
  ) {
    self.version = version
    self.contentID = contentID
    self.episodeID = episodeID
    self.modifiedNanoseconds = modifiedNanoseconds
    self.hash = hash
    self.subtitles = subtitles
  }
}

/// One subtitle file beside a media file.
package struct ShelfSubtitle: Sendable, Hashable {
  /// A language tag; `nil` when the name has none.
  package var language: String?
  /// `srt`, `vtt`, `ass`, `ssa`, `sub`, `sup`.
  package var format: String
  /// Whether it holds only what is not in the audience's language.
  package var isForced: Bool
  /// Whether it describes sounds.
  package var isHearingImpaired: Bool
  /// The length in bytes.
  package var byteCount: Int64

  /// A subtitle file.
  package init(
    language: String?, format: String, isForced: Bool = false, isHearingImpaired: Bool = false,
    byteCount: Int64
  ) {
    self.language = language
    self.format = format
    self.isForced = isForced
    self.isHearingImpaired = isHearingImpaired
    self.byteCount = byteCount
  }
}

/// A file that is open, with the name that tells its type.
package struct OpenAsset: Sendable {
  let file: OpenFile
  /// The name, without folders.
  package let name: String

  init(file: OpenFile, name: String) {
    self.file = file
    self.name = name
  }
}

extension MediaVersion {
  /// The height that `resolution` names; `nil` when it names none.
  var height: Int? { resolution.flatMap(Self.height) }

  /// The height of `1080p`, `4k`, `2160`.
  static func height(of text: String) -> Int? {
    let text = text.lowercased()
    if text == "4k" || text == "uhd" { return 2160 }
    if text == "8k" { return 4320 }
    return Int(text.hasSuffix("p") || text.hasSuffix("i") ? text.dropLast() : text[...])
  }
}
