public import SiloMedia
public import struct Foundation.URL

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
  /// Refuse a selection above this number of bytes.
  public var maximumSize: Int64?
  /// Fill EXT-X-GAP segments with nothing instead of failing.
  public var allowsGaps = false
  /// Connections for one item.
  public var connections = 8
  /// The expected digest of a plain file.
  public var checksum: ExpectedDigest?

  /// A request for `source` with the given wishes.
  public init(source: String, wishes: TrackWishes = TrackWishes()) {
    self.source = source
    self.wishes = wishes
  }
}

/// A digest that a plain file must have.
public struct ExpectedDigest: Sendable, Hashable {
  /// How it is computed.
  public enum Algorithm: String, Sendable, CaseIterable {
    /// SHA-256.
    case sha256 = "sha-256"
    /// SHA-1.
    case sha1 = "sha-1"
    /// MD5.
    case md5
    /// OpenSubtitles' hash: size plus the sums of the first and last 64 KiB.
    case oshash
  }
  /// How it is computed.
  public var algorithm: Algorithm
  /// The digest in lower-case hexadecimal.
  public var hexadecimal: String

  /// A digest.
  public init(_ algorithm: Algorithm, hexadecimal: String) {
    self.algorithm = algorithm
    self.hexadecimal = hexadecimal.lowercased()
  }
}

/// Where a download stands.
public enum DownloadPhase: String, Sendable, Hashable, Codable {
  /// Waiting for its turn.
  case waiting
  /// Bytes are arriving.
  case transferring
  /// Length, digest and structure are being checked.
  case verifying
  /// The chosen tracks are being written into one file.
  case packaging
  /// The file has its name.
  case finished
  /// Stopped by the user.
  case paused
  /// It failed.
  case failed
}

/// How far a transfer is.
public struct DownloadProgress: Sendable, Hashable {
  /// Bytes that are on disk; never goes backwards.
  public var bytes: Int64
  /// Bytes expected in all, or `nil` when not known.
  public var total: Int64?
  /// Bytes a second, a moving average.
  public var bytesPerSecond: Double?
  /// The time left at that rate.
  public var remaining: Duration?

  /// A progress of the given parts.
  public init(
    bytes: Int64, total: Int64? = nil, bytesPerSecond: Double? = nil, remaining: Duration? = nil
  ) {
    self.bytes = bytes
    self.total = total
    self.bytesPerSecond = bytesPerSecond
    self.remaining = remaining
  }
}

/// What a source holds and what the wishes choose of it.
public struct Inspection: Sendable {
  /// The tracks and facts of the source.
  public var inventory: MediaInventory
  /// What the wishes choose.
  public var selection: TrackSelection
  /// What the user should be told.
  public var warnings: [String]

  /// An inspection of the given parts.
  public init(inventory: MediaInventory, selection: TrackSelection, warnings: [String] = []) {
    self.inventory = inventory
    self.selection = selection
    self.warnings = warnings
  }
}

/// A finished download.
public struct FinishedDownload: Sendable {
  /// The file.
  public var path: URL
  /// Its length.
  public var byteCount: Int64
  /// Its SHA-256 in lower-case hexadecimal.
  public var sha256: String
  /// What is in it, read back from the file.
  public var inventory: MediaInventory
  /// Which checks passed: `length`, `sha-256`, `structure`, …
  public var verified: [String]

  /// A finished download of the given parts.
  public init(
    path: URL, byteCount: Int64, sha256: String, inventory: MediaInventory, verified: [String]
  ) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.inventory = inventory
    self.verified = verified
  }
}

/// What a running download tells, in order.
public enum DownloadEvent: Sendable {
  /// What the source holds and what was chosen.
  case inspected(Inspection)
  /// It entered a phase.
  case phase(DownloadPhase)
  /// Bytes moved.
  case progress(DownloadProgress)
  /// Something the user should be told.
  case warning(String)
  /// It was done before: the finished file is kept, for the given reason.
  case skipped(path: URL, reason: String)
}
