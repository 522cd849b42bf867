public import SiloMedia

/// What to download, how, and to where.
public struct DownloadRequest: Sendable {
  /// The source as the user wrote it: a URL, or a path of a local file, folder or playlist.
  public var source: String
  /// The tracks that are wanted.
  public var wishes: TrackWishes
  /// A file, or a folder (ends in `/` or exists); `nil` is the current folder.
  public var output: String?
  /// The container; `nil` chooses mp4 when everything selected fits it without loss, else mkv.
  public var container: OutputContainer?
  /// Keep the file as downloaded beside the packaged one.
  public var keepsOriginalFile = false
  /// Replace a finished file.
  public var overwrites = false
  /// What it must not share an output with; `nil` is nothing.
  public var claims: OutputClaims?
  /// Refuse a selection above this number of bytes.
  public var maximumSize: Int64?
  /// Fill EXT-X-GAP segments with nothing instead of failing.
  public var allowsGaps = false
  /// The expected digest of a plain file.
  public var checksum: ExpectedDigest?
  /// The preset of an item of a server, below its source's quality; `nil` is the source itself.
  package var quality: String?
  /// The item of the queue that it is; `nil` when it is none.
  package var itemID: String?
  /// The server, account and profile that the item is of; `nil` of an item of no server.
  package var owner: String?
  /// The row of a server that the source is; `nil` for every other source.
  package var registered: RegisteredSource?
  /// What it is: in a folder it gets folders and a name that a media centre reads; `nil` is named by its source.
  package var shelf: ShelfName.Subject?
  /// What to do when the disk is full in the middle; before the start a shortage is always a failure.
  public var whenDiskIsFull = FullDiskPolicy.fail

  /// The number of the item.
  var itemNumber: Int64? { itemID.flatMap { Int64($0) } }

  /// A request for `source` with the given wishes.
  public init(source: String, wishes: TrackWishes = TrackWishes()) {
    self.source = source
    self.wishes = wishes
  }
}

extension DownloadRequest {
  /// Refuses standard output, before anything is fetched for it.
  func requireFileOutput() throws {
    guard output == "-" else { return }
    throw DownloadError(
      .usage,
      "a file is verified before it gets its name, so there is no output to stdout; ./- names a file"
    )
  }
}
