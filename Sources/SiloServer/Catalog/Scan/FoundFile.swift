/// A file of the folder that the catalog may have a use for.
struct FoundFile: Hashable, Sendable {
  /// The folder it lies in, relative to the one that is served; empty for that itself.
  var folder: String
  /// Its name.
  var name: String
  /// What its extension says.
  var kind: FoundKind
  /// Its length.
  var byteCount: Int64
  /// When it was last changed, in nanoseconds since 1970.
  var modified: Int64
  /// The number that it keeps when it is renamed.
  var inode: UInt64

  /// Folder and name, joined by a slash.
  var path: String { folder.isEmpty ? name : folder + "/" + name }
  /// The name without its extension.
  var stem: String { MediaType.stem(of: name) }
}

/// A file or folder that the catalog does without, and why.
struct SkippedFile: Hashable, Sendable {
  /// Where it is, relative to the folder that is served.
  var path: String
  /// Why, as the end of a sentence: "it leads outside the folder".
  var reason: String
}

/// Everything that was found in one walk through the folder.
struct FolderListing: Hashable, Sendable {
  /// What may be of use, in the order of folders and names.
  var files: [FoundFile] = []
  /// What was passed over.
  var skipped: [SkippedFile] = []
}
