import Foundation
import SiloMedia
import SiloSystem

/// Looks into a source: tells a playlist from a file by its content, and reads what is inside.
struct SourceOpening: Sendable {
  /// The client for what lies on the web.
  let client: HTTPClient
  /// Which HLS variant is wanted.
  let wish: TrackWishes.VideoWish
  /// What is known of presentations from a run before.
  let known: FirstSegments
  /// What is known of files from a run before; `nil` looks in any case.
  let looks: SourceLooks?
  /// What records call the source, where that is not its address.
  var name: String?

  private var reader: DocumentReader { DocumentReader(client: client) }

  /// Looks into `source`.
  func open(_ source: SourceReference) async throws -> OpenedSource {
    switch source {
    case .local(let url): try await openLocal(url)
    case .web(let url): try await openWeb(url)
    }
  }

  private func openLocal(_ url: URL) async throws -> OpenedSource {
    let bytes = try await onOwnThread(named: "open") { _ in try FileByteSource(url) }
    let head = try await head(of: bytes)
    let names = OutputPlace.Names(url)
    if PlaylistSniff.isPlaylist(head) {
      let document = try await reader.read(url)
      return .presentation(try await openPlaylist(document, of: url, names: names))
    }
    let media = MediaSource(name: Redaction.printable(url.path), bytes: bytes)
    let inventory = try await MediaInventory.probe(media)
    return .file(OpenedFile(place: .local(url), inventory: inventory, names: names))
  }

  private func openWeb(_ url: URL) async throws -> OpenedSource {
    // A name that says playlist saves the request that would look.
    if PlaylistSniff.isPlaylistName(url) {
      let document = try await reader.read(url)
      if PlaylistSniff.isPlaylist(document.body[...]) || document.body.isEmpty {
        return .presentation(
          try await openPlaylist(document, of: url, names: OutputPlace.Names(url)))
      }
    }
    if let file = try await recall(url) { return .file(file) }
    let bytes = try await HTTPByteSource.open(url, with: client)
    if PlaylistSniff.isPlaylist(bytes.openingBytes[...]) {
      let document = try await reader.read(url)
      return .presentation(try await openPlaylist(document, of: url, names: OutputPlace.Names(url)))
    }
    let names = OutputPlace.Names(bytes.head)
    let media = MediaSource(name: Redaction.text(of: url), bytes: bytes)
    do {
      let inventory = try await probe(media, bytes)
      return .file(
        OpenedFile(
          place: .web(url), inventory: inventory, names: names,
          look: SourceLook(inventory, by: bytes.head)))
    } catch  where !bytes.supportsRanges && !bytes.isWhole && !(error is CancellationError) {
      // What is no media at all is told by its first bytes; the index of what is may lie anywhere.
      if let error = error as? MediaError, [.unsupported, .encrypted].contains(error.code) {
        throw error
      }
      throw UnseenFile(url: url, byteCount: bytes.byteCount, names: names)
    }
  }

  /// The file at `url` as a run before found it; `nil` when there was none, or the file is not proven to be the same.
  private func recall(_ url: URL) async throws -> OpenedFile? {
    guard let look = await looks?.recall(name ?? ResourceIdentity.text(of: url)) else { return nil }
    let head = try await HTTPByteSource.open(
      url, with: client, byteCount: SourceLook.proofByteCount
    ).head
    guard look.holds(for: head) else { return nil }
    return OpenedFile(
      place: .web(url), inventory: look.inventory, names: OutputPlace.Names(head))
  }

  /// The inventory of a remote file; cancelling ends a read that waits for the network.
  private func probe(_ media: MediaSource, _ bytes: HTTPByteSource) async throws -> MediaInventory {
    try await withTaskCancellationHandler {
      try await MediaInventory.probe(media)
    } onCancel: {
      bytes.cancel()
    }
  }

  private func openPlaylist(
    _ document: HTTPDocument, of url: URL, names: OutputPlace.Names
  ) async throws -> OpenedPresentation {
    let playlist = try Playlist.parse(document.body, url: document.head.url)
    return try await PresentationOpening(
      reader: reader, wish: wish, known: known, source: ResourceIdentity.text(of: url)
    ).open(playlist, names: names)
  }

  private func head(of source: any ByteSource) async throws -> ArraySlice<UInt8> {
    try await onOwnThread(named: "sniff") { _ in
      var head = [UInt8](repeating: 0, count: 1024)
      var span = head.mutableSpan
      var bytes = span.mutableBytes
      let count = try source.read(at: 0, into: &bytes)
      return head.prefix(count)
    }
  }
}

/// Whether bytes or a name are those of an HLS playlist.
enum PlaylistSniff {
  /// Whether the text begins as a playlist does; a byte order mark, blank lines and comments may come first.
  static func isPlaylist(_ head: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: head.prefix(1024), as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"]))
      if line.isEmpty { continue }
      if line.hasPrefix("#EXT") { return true }
      guard line.hasPrefix("#") else { return false }
    }
    return false
  }

  /// Whether the path ends as playlists do.
  static func isPlaylistName(_ url: URL) -> Bool {
    ["m3u8", "m3u"].contains(url.pathExtension.lowercased())
  }
}

extension OutputPlace.Names {
  /// What the path of a URL or file says.
  init(_ url: URL) {
    let parts = url.path.split(separator: "/").map(String.init)
    self.init(
      lastComponent: parts.last, parentComponent: parts.count > 1 ? parts[parts.count - 2] : nil)
  }

  /// What an answer says: its own name, and the URL that it came from.
  init(_ head: HTTPResponseHead) {
    self.init(head.url)
    disposition = head["Content-Disposition"].flatMap(ContentDisposition.fileName)
  }
}
