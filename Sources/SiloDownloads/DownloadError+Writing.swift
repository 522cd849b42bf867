import SiloMedia
import SiloStore
import SiloSystem

extension DownloadError {
  /// A failure to write what was downloaded: what is full, forbidden or too long is told apart.
  init(writing error: SystemCallError) {
    let subject = error.path.map(Redaction.printable)
    let (code, text) = Self.reason(error)
    self.init(code, text, subject: subject, cause: error)
  }

  private static func reason(_ error: SystemCallError) -> (Code, String) {
    if error.isOverQuota {
      return (
        .space,
        "Your quota on this disk is used up, whatever is free on it. What arrived is kept: remove some files of yours and run the same again."
      )
    }
    if error.isOutOfSpace {
      if let path = error.path,
        (try? FileSystem.of(AtomicFile.folder(of: path)))?.freeFileCount == 0
      {
        return (
          .space,
          "The disk has room for bytes but for no more files (inodes). What arrived is kept: remove some files and run the same again."
        )
      }
      return (
        .space, "The disk is full. What arrived is kept: free some space and run the same again."
      )
    }
    if error.isTooLarge {
      return (
        .config,
        "The file is larger than this file system, or the limit of this process (ulimit -f), lets files be. Choose another place."
      )
    }
    if error.isReadOnly {
      return (.config, "The disk is mounted read-only. Choose another place.")
    }
    if error.isForbidden {
      return (.config, "This user may not write here (\(error)). Choose another place.")
    }
    if error.isNameTooLong {
      return (.config, "The name is longer than this folder takes. Choose a shorter one.")
    }
    if error.isExisting {
      return (
        .config, "A file of that name appeared meanwhile; it is kept, and --overwrite replaces it."
      )
    }
    return (.config, "Cannot be written (\(error)).")
  }
}
