public import SiloMedia

public import struct Foundation.URL

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
  /// The checks that passed.
  ///
  /// `length`, `sha-256`, `structure`, and more where a digest was given.
  public var verified: [String]
  /// What lies beside it for its sake: manifest, NFO file, pictures, subtitles of an item of a server.
  public var sideFiles: [URL] = []

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
