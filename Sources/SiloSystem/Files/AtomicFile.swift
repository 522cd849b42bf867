import CLinux
import Glibc

/// The verbs by which a file gets its name only when it is whole and durable.
package enum AtomicFile {
  /// Removes a file that may be gone already.
  package static func remove(_ path: String) {
    _ = try? OwnedDescriptor.retrying("unlink", path) { unlink(path) }
  }

  /// Makes the folder at `path`, if it is not there.
  package static func makeFolder(_ path: String) throws {
    try OwnedDescriptor.retrying("mkdir", path, expecting: EEXIST) { mkdir(path, 0o755) }
  }

  /// Gives the finished file its name: sync, rename, sync of the folder.
  ///
  /// Replaces what has the name. Both paths have to lie on one file system.
  package static func rename(_ source: String, to destination: String) throws {
    try OwnedDescriptor.open(source, .read).synchronize()
    try renameDurably(source, to: destination)
  }

  /// Renames without syncing the file again, for a caller that just did; then syncs the folders.
  ///
  /// - Parameter isReplacing: Without it, a file that has the name is an error that `isExisting`.
  package static func renameDurably(
    _ source: String, to destination: String, isReplacing: Bool = true
  ) throws {
    if isReplacing {
      try OwnedDescriptor.retrying("rename", destination) { Glibc.rename(source, destination) }
    } else {
      try renameNew(source, destination)
    }
    try synchronizeFolder(of: destination)
    if folder(of: source) != folder(of: destination) { try synchronizeFolder(of: source) }
  }

  private static func renameNew(_ source: String, _ destination: String) throws {
    do {
      try OwnedDescriptor.retrying("rename", destination) { silo_rename_new(source, destination) }
      return
    } catch {
      // Some file systems (exFAT, network shares) do not know the flag; there a look has to do.
      guard error.errno == EINVAL || error.errno == ENOSYS else { throw error }
    }
    guard access(destination, F_OK) != 0 else {
      throw SystemCallError(call: "rename", errno: EEXIST, path: destination)
    }
    try OwnedDescriptor.retrying("rename", destination) { Glibc.rename(source, destination) }
  }

  /// Writes a small file so that either the old or the new contents are found after a crash.
  package static func write(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o644) throws {
    let temporary = "\(path).new"
    try OwnedDescriptor.retrying("unlink", temporary, expecting: ENOENT) { unlink(temporary) }
    let file = try OwnedDescriptor.open(temporary, .createNew, permissions: permissions)
    do {
      try file.write(bytes, at: 0)
      try file.synchronize()
      try file.close()
      try renameDurably(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  /// Makes the names in the folder that holds `path` durable.
  package static func synchronizeFolder(of path: String) throws {
    try synchronizeFolder(folder(of: path))
  }

  /// Makes the names in `folder` durable.
  package static func synchronizeFolder(_ folder: String) throws {
    try OwnedDescriptor.openFolder(folder).synchronize()
  }

  /// The folder part of a path: `.` when it has none.
  package static func folder(of path: String) -> String {
    // By bytes: a name may begin with a mark that makes one character with the slash.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
