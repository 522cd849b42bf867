import SiloContract
import SiloSystem

/// The account and the key that a server makes when it starts for the first time.
enum FirstAccount {
  /// The name of the account when nobody gave one.
  static let name = "admin"

  /// Makes both when there is no account yet; returns the path of the file with the key, as long as it is there.
  static func make(in folder: DataFolder, _ book: AccountBook, name: String?) async throws
    -> String?
  {
    let path = folder.file("api-key")
    if try await book.isEmpty() {
      // Without a password nobody signs in with one; the key, or --add-user, gives access.
      let account = try await book.setAccount(name ?? Self.name, password: nil)
      let key = try await book.makeKey("first start", for: account.id)
      let text = (key.key ?? "") + "\n"
      try await onOwnThread(named: "first-account") { _ in
        try AtomicFile.write(Array(text.utf8), to: path, permissions: 0o600)
      }
      return path
    }
    return FileSystem.allocatedByteCount(of: path) > 0 ? path : nil
  }
}
