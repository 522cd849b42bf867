import Foundation
import Glibc
import SiloSystem

/// The file that holds the sign-in, readable by its owner only; one writer at a time among all processes.
public struct CredentialFile: Sendable {
  /// The longest file that is read.
  private static let longest = 256 << 10

  /// The path.
  public let path: String

  /// The file at `path`.
  public init(path: String) { self.path = path }

  /// The file of the user, which `silo-fetch login` writes: beside the configuration, below `$XDG_CONFIG_HOME`, else
  /// `~/.config`; `nil` when the environment has neither that nor `HOME`.
  ///
  /// - Parameter environment: `nil` is that of the process.
  public static func ofUser(environment: [String: String]? = nil) -> CredentialFile? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let folders = [environment["XDG_CONFIG_HOME"], environment["HOME"].map { $0 + "/.config" }]
    return folders.compactMap { $0 }.first { $0.hasPrefix("/") }.map {
      CredentialFile(path: $0 + "/silo-fetch/credentials.json")
    }
  }

  /// The sign-in; `nil` when there is none.
  ///
  /// - Throws: `DownloadError.config` for a file that cannot be read or is no such file.
  package func read() async throws -> SiloAccount? {
    try await onOwnThread(named: "credentials") { _ in try load() }
  }

  /// Waits until no other process changes the sign-in, and keeps it so until the lock is released.
  package func hold() async throws -> CredentialLock {
    try await onOwnThread(named: "credentials") { _ in
      try writing {
        try FileManager.default.createDirectory(
          atPath: AtomicFile.folder(of: path), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        return try CredentialLock(path + ".lock")
      }
    }
  }

  /// Stores another sign-in, durably; `nil` removes it.
  package func replace(_ account: SiloAccount?, under lock: CredentialLock) async throws {
    try await onOwnThread(named: "credentials") { _ in
      try withExtendedLifetime(lock) { try writing { try store(account) } }
    }
  }

  /// What servers call this installation, which outlives every sign-in; `nil` before the first one ended.
  func deviceID() async -> String? {
    let path = devicePath
    let bytes = try? await onOwnThread(named: "credentials") { _ in
      try OwnedDescriptor.open(path, .read).read(at: 0, count: 64)
    }
    let text = bytes.map { String(decoding: $0, as: UTF8.self) }
    return text.flatMap { UUID(uuidString: $0)?.uuidString.lowercased() }
  }

  private var devicePath: String { AtomicFile.folder(of: path) + "/device-id" }

  private func writing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SystemCallError {
      throw unwritable(error)
    } catch let error as CocoaError {
      throw unwritable(error)
    }
  }

  private func load() throws -> SiloAccount? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try OwnedDescriptor.open(path, .read).read(at: 0, count: Self.longest)
    } catch {
      throw DownloadError(
        .config, "The sign-in cannot be read.", subject: Redaction.printable(path), cause: error)
    }
    do {
      return try JSONDecoder().decode(SiloAccount.self, from: Data(bytes))
    } catch {
      // What the decoder says may quote the file.
      throw DownloadError(
        .config, "This is no sign-in of silo-fetch. Sign in again to replace it.",
        subject: Redaction.printable(path))
    }
  }

  /// Writes, or removes; the old one stays whole until the new one is durable.
  private func store(_ account: SiloAccount?) throws {
    guard let account else {
      // The rows of this device are still its own when somebody signs in again.
      if let device = (try? load())??.deviceID, UUID(uuidString: device) != nil {
        try AtomicFile.write(Array(device.utf8), to: devicePath, permissions: 0o600)
      }
      AtomicFile.remove(path)
      return try AtomicFile.synchronizeFolder(of: path)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(account))
    try AtomicFile.write(bytes, to: path, permissions: 0o600)
  }

  private func unwritable(_ error: any Error) -> DownloadError {
    let isFull =
      (error as? SystemCallError).map { $0.isOutOfSpace || $0.isOverQuota }
      ?? ((error as? CocoaError)?.code == .fileWriteOutOfSpace)
    return DownloadError(
      isFull ? .space : .config,
      "The sign-in cannot be written"
        + (isFull ? ": the disk is full, or your quota on it. Free some space." : "."),
      subject: Redaction.printable(path), cause: error)
  }
}

/// The right to change the sign-in, held by one process; given back with its last reference at the latest.
package final class CredentialLock: Sendable {
  private let descriptor: OwnedDescriptor

  fileprivate init(_ path: String) throws {
    descriptor = try OwnedDescriptor.open(path, .create, permissions: 0o600)
    try descriptor.lock()
  }

  /// Gives it back.
  package func release() { flock(descriptor.number, LOCK_UN) }
}
