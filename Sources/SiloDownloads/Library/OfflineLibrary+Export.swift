public import struct Foundation.URL

extension OfflineLibrary {
  /// What became of an entry that was to be exported.
  public struct Export: Sendable {
    /// The entry.
    public var entry: LibraryEntry
    /// Where it is now.
    public var url: URL
    /// Whether it was there already.
    public var wasThere: Bool
  }

  /// Puts an entry into `folder` under its own name: as another name of the same file where the file system allows, else as a
  /// copy, which gets its name when it is whole.
  ///
  /// - Throws: `DownloadError` `notFound` for a file that is missing, `config` where another file has the name, `space`.
  public func export(_ entry: LibraryEntry, to folder: URL) async throws -> Export {
    try await Exporting(entry: entry, folder: folder).run()
  }
}
