import Foundation
import SiloMedia
import SiloSystem

/// Looks into an HLS presentation: as few requests as tell everything, the independent ones at once.
///
/// One for each playlist that the chosen variant needs, and the init section and the head of one segment for each rendition
/// whose tracks the playlists do not tell.
struct PresentationOpening: Sendable {
  /// The most bytes of a segment that are looked at.
  static let segmentWindow: Int64 = 1 << 20

  /// How things are read.
  let reader: DocumentReader
  /// Which variant is wanted.
  let wish: TrackWishes.VideoWish
  /// What is known from a run before.
  let known: FirstSegments
  /// The source without its secrets.
  let source: String
  /// Where what came whole is kept for the transfer.
  let fetched = FetchedSegments()

  /// Looks into the presentation that `playlist` begins.
  func open(_ playlist: Playlist, names: OutputPlace.Names) async throws -> OpenedPresentation {
    var warnings: [String] = []
    var variables: [String: String] = [:]
    var presentation: HLSPresentation
    switch playlist {
    case .media(let media):
      presentation = HLSPresentation(media)
      try presentation.requireDecryptable()
    case .multivariant(let multivariant):
      try multivariant.requireDecryptable()
      let choice = try HLSVariantChoice(multivariant, wish: wish)
      warnings += choice.warnings
      variables = multivariant.variables
      async let chapters = chapters(of: multivariant)
      let playlists = try await fetch(choice.playlistURLs, variables: multivariant.variables)
      presentation = try HLSPresentation(choice, of: multivariant, playlists: playlists)
      try presentation.requireDecryptable()
      do { presentation.chapters = try await chapters } catch {
        try Task.checkCancellation()
        warnings.append("the chapters cannot be had: \(error)")
      }
    }
    for (index, first) in await known.recall(presentation, of: source) {
      presentation.record(first, rendition: index)
    }
    for (index, first) in try await firstSegments(of: presentation) {
      presentation.record(first, rendition: index)
    }
    try presentation.requireDecryptable()
    let told = presentation.renditions.flatMap { $0.playlist.warnings.filter { !$0.isHarmless } }
    warnings += told.prefix(5).map(\.description)
    return OpenedPresentation(
      source: source, variables: variables, presentation: presentation,
      inventory: presentation.inventory(), names: names,
      warnings: warnings + presentation.inventoryWarnings(), fetched: fetched)
  }

  private func fetch(_ urls: [URL], variables: [String: String]) async throws -> [URL:
    MediaPlaylist]
  {
    try await withThrowingTaskGroup(of: (URL, MediaPlaylist).self) { group in
      for url in urls {
        group.addTask { (url, try await self.mediaPlaylist(url, variables: variables)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func mediaPlaylist(_ url: URL, variables: [String: String]) async throws -> MediaPlaylist
  {
    let document = try await piece("the playlist of a rendition", url) {
      try await reader.read(url)
    }
    let parsed = try Playlist.parse(
      document.body, url: document.head.url, variables: variables)
    guard case .media(let playlist) = parsed else {
      throw MediaError(
        .malformed, "a media playlist was expected, this is a multivariant playlist",
        subject: Redaction.text(of: url))
    }
    return playlist
  }

  /// What belongs to a presentation and cannot be had makes it incomplete; only the playlist that was asked for is "not found".
  private func piece<Result>(
    _ what: String, _ url: URL, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as DownloadError
      where [.notFound, .auth, .unavailable].contains(error.code)
    {
      throw DownloadError(
        .integrity, "\(what) cannot be had: \(error.message)", subject: Redaction.text(of: url),
        status: error.status, cause: error)
    }
  }

  private func chapters(of multivariant: MultivariantPlaylist) async throws -> [Chapter] {
    let named = multivariant.sessionData.first { $0.id == HLSChapters.dataID }
    guard let url = named?.url else { return [] }
    return try HLSChapters.parse(try await reader.read(url, limit: 4 << 20).body)
  }

  private func firstSegments(
    of presentation: HLSPresentation
  ) async throws -> [(Int, HLSRendition.FirstSegment)] {
    let keys = KeyRing(SegmentFetcher(reader.client))
    return try await withThrowingTaskGroup(of: (Int, HLSRendition.FirstSegment).self) { group in
      for (index, segment) in presentation.firstSegments {
        group.addTask { (index, try await self.firstSegment(segment, keys)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func firstSegment(
    _ segment: MediaSegment, _ keys: KeyRing
  ) async throws -> HLSRendition.FirstSegment {
    async let initBytes = initSection(of: segment, keys)
    let from = segment.byteRange?.lowerBound ?? 0
    let window = from..<min(segment.byteRange?.upperBound ?? .max, from + Self.segmentWindow)
    let start = Waiting.system.now()
    let document = try await piece("the first segment", segment.url) {
      try await reader.read(segment.url, range: window, purpose: .media, limit: 256 << 20)
    }
    keepWhole(document, of: segment, after: Waiting.system.now() - start)
    var body = document.body
    // A server without ranges sends all of it.
    if document.head.bodyOffset == 0, from > 0, !segment.url.isFileURL {
      body = Array(body.dropFirst(Int(from)).prefix(Int(Self.segmentWindow)))
    }
    if let key = segment.key, let vector = segment.initializationVector {
      body = try Self.decryptedHead(of: body, try await keys.bytes(of: key), vector)
    }
    let source = MediaSource(
      name: Redaction.text(of: segment.url),
      bytes: MemoryByteSource(try await initBytes + body))
    return HLSRendition.FirstSegment(
      inventory: try await probe(source, of: segment),
      byteCount: segment.byteRange.map { $0.upperBound - $0.lowerBound }
        ?? document.head.totalByteCount ?? Int64(document.body.count),
      duration: segment.duration)
  }

  /// Decrypted with a wrong key, anything looks like nothing.
  private func probe(_ source: MediaSource, of segment: MediaSegment) async throws -> MediaInventory
  {
    do { return try await MediaInventory.probe(source) } catch let error as MediaError
      where error.code == .unsupported && segment.key != nil
    {
      let key = segment.key?.url.map { Redaction.text(of: $0) } ?? "in the playlist"
      throw DownloadError(
        .integrity,
        "the first segment is no media once it is decrypted; its key (\(key)) or IV is wrong",
        subject: source.name, cause: error)
    }
  }

  /// Keeps a segment of which all was in the window.
  private func keepWhole(
    _ document: HTTPDocument, of segment: MediaSegment, after time: Duration
  ) {
    guard !segment.url.isFileURL else { return }
    let from = segment.byteRange?.lowerBound ?? 0
    let whole = segment.byteRange.map { Int64($0.count) } ?? document.head.totalByteCount
    guard document.head.bodyOffset == from, Int64(document.body.count) == whole else { return }
    fetched.keep(document.body, of: segment.url, range: segment.byteRange, after: time)
  }

  private func initSection(of segment: MediaSegment, _ keys: KeyRing) async throws -> [UInt8] {
    guard let section = segment.initSection else { return [] }
    let document = try await piece("the init section", section.url) {
      try await reader.read(
        section.url, range: section.byteRange, purpose: .media, limit: 16 << 20)
    }
    if section.byteRange.map({ $0.count == document.body.count }) ?? true {
      fetched.keep(document.body, of: section.url, range: section.byteRange)
    }
    guard let key = section.key, let vector = key.explicitIV else { return document.body }
    do {
      return try BlockCipher.run(
        .decrypt, key: try await keys.bytes(of: key), vector: vector, over: document.body)
    } catch let error as CryptoError {
      throw DownloadError(
        .integrity, "the init section cannot be decrypted: \(error)",
        subject: Redaction.text(of: section.url), cause: error)
    }
  }

  /// The clear bytes of the head of an encrypted resource: whole blocks, padding unchecked.
  private static func decryptedHead(
    of bytes: [UInt8], _ key: [UInt8], _ vector: [UInt8]
  ) throws -> [UInt8] {
    var clear: [UInt8] = []
    var cipher = try BlockCipher(.decrypt, key: key, vector: vector)
    let blocks = Array(bytes.prefix(bytes.count / 16 * 16))
    try cipher.update(blocks.span.bytes, appendingTo: &clear)
    return clear
  }
}
