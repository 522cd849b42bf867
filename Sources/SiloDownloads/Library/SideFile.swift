public import struct Foundation.URL

/// A file that lies beside a finished one for its sake: manifest, NFO file, pictures, subtitles.
public struct SideFile: Sendable, Hashable {
  /// Where it lies.
  public var url: URL
  /// What it is: `manifest`, `nfo`, `poster`, `fanart`, `clearlogo`, `thumb`, `subtitles`.
  public var kind: String
  /// Its length in bytes when it was written.
  public var byteCount: Int64
  /// What became of it since.
  public var condition: LibraryEntry.Condition
  /// Whether all episodes of a series have it together.
  public var isShared: Bool

  init(_ sidecar: Sidecar) {
    url = URL(filePath: sidecar.path, directoryHint: .notDirectory)
    (kind, byteCount) = (sidecar.kind.rawValue, sidecar.byteCount)
    isShared = sidecar.owner.hasSuffix("/")
    let facts = FileFacts(sidecar.path)
    condition = facts == nil ? .missing : sidecar.isStill(facts) ? .finished : .changed
  }
}
