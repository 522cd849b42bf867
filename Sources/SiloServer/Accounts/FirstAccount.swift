import SiloSystem

/// The account and the key that a server makes when it starts for the first time.
enum FirstAccount {
  /// The name of the account when nobody gave one.
  static let name = "admin"

  /// Makes both when nobody can come in yet; returns the path of the file with the key, as long as it is there.
  ///
  /// The file comes first: a start that ends in between leaves a key that opens nothing, which the next start replaces.
  static func make(in folder: DataFolder, _ book: AccountBook, name: String?) async throws
    -> String?
  {
    let path = folder.file("api-key")
    if try await book.isClosedToAll() {
      let secret = Secret.make(prefix: "sa_")
      try await onOwnThread(named: "first-account") { _ in
        try AtomicFile.write(Array((secret + "\n").utf8), to: path, permissions: 0o600)
      }
      // Without a password nobody signs in with one; the key, or --add-user, gives access.
      try await book.makeFirstAccount(name ?? Self.name, key: secret)
      return path
    }
    return FileSystem.allocatedByteCount(of: path) > 0 ? path : nil
  }
}
