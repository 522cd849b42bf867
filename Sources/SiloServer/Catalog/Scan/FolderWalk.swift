import Glibc
import SiloSystem

/// One walk through the folder, with a `stat` for each file that counts and no look inside.
///
/// It blocks: on a thread of its own only. Nothing that it meets ends it.
struct FolderWalk {
  /// How deep folders may lie, how many files count, and how many reasons are kept: folders come from outside.
  private static let deepest = 16
  private static let mostFiles = 400_000
  private static let mostReasons = 1000

  private let folder: MediaFolder
  private let cancel: CancellationFlag
  private var listing = FolderListing()
  /// The folders that were entered: a link may lead back to one.
  private var entered: Set<FolderNumber> = []

  private struct FolderNumber: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  private init(_ folder: MediaFolder, _ cancel: CancellationFlag) {
    self.folder = folder
    self.cancel = cancel
  }

  /// What is below `folder`.
  ///
  /// Throws `CancellationError` once the flag is raised, and `SystemCallError` when the folder itself is not there: a disk
  /// that is away has not lost its films.
  static func listing(
    of folder: MediaFolder, unless cancel: CancellationFlag
  ) throws -> FolderListing {
    guard access(folder.root + "/", R_OK | X_OK) == 0 else {
      throw SystemCallError(call: "opendir", path: folder.root)
    }
    var walk = FolderWalk(folder, cancel)
    var waiting = [("", 0)]
    while let (path, depth) = waiting.popLast() {
      try cancel.check()
      for name in walk.enter(path).sorted().reversed() {
        let below = path.isEmpty ? name : path + "/" + name
        if depth + 1 >= deepest {
          walk.skip(below, "it lies too deep")
        } else {
          waiting.append((below, depth + 1))
        }
      }
    }
    walk.listing.files.sort { ($0.folder, $0.name) < ($1.folder, $1.name) }
    return walk.listing
  }

  /// Notes the files of one folder and returns the names of the folders in it.
  private mutating func enter(_ path: String) -> [String] {
    let full = path.isEmpty ? folder.root + "/" : folder.root + "/" + path
    guard let open = opendir(full) else {
      skip(path, errno == EACCES ? "it may not be read" : String(cString: strerror(errno)))
      return []
    }
    defer { closedir(open) }
    var facts = stat()
    guard fstat(dirfd(open), &facts) == 0,
      entered.insert(
        FolderNumber(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
      ).inserted
    else {
      skip(path, "it is a link to a folder that is here already")
      return []
    }
    let before = (files: listing.files.count, skipped: listing.skipped.count)
    var folders: [String] = []
    var indexes: Set<String> = []
    while let entry = readdir(open) {
      let type = Int32(entry.pointee.d_type)
      guard let name = Self.name(of: entry) else {
        skip(path, "a name in it is no UTF-8")
        continue
      }
      let kind = FoundKind(name)
      if kind == .passOver {
        listing.files.removeSubrange(before.files...)
        listing.skipped.removeSubrange(before.skipped...)
        skip(path, "it has a file \(name)")
        return []
      }
      guard MediaFolder.isServed(name) else { continue }
      if name.lowercased().hasSuffix(".idx") { indexes.insert(MediaType.stem(of: name)) }
      if Int(type) == DT_DIR {
        if FolderRole(name) != .ignored { folders.append(name) }
        continue
      }
      // No look at what could be of no use anyway, unless it may be a folder behind a link.
      guard kind != nil || Int(type) != DT_REG else {
        skip(path.isEmpty ? name : path + "/" + name, "it is no media")
        continue
      }
      if note(name, kind, in: path, dirfd(open), isLink: Int(type) != DT_REG) {
        folders.append(name)
      }
    }
    leavePictures(from: before.files, without: indexes)
    return folders
  }

  /// Leaves out subtitles that are pictures (VobSub) whose index is missing: nobody could show them.
  ///
  /// A `.sub` that is text has no index.
  private mutating func leavePictures(from start: Int, without indexes: Set<String>) {
    let lost = listing.files[start...].filter { file in
      file.kind == .subtitle("sub") && !indexes.contains(file.stem)
        && Self.isProgramStream(folder.root + "/" + file.path)
    }
    guard !lost.isEmpty else { return }
    listing.files.removeAll { lost.contains($0) }
    for file in lost { skip(file.path, "its .idx is missing") }
  }

  /// Whether a file begins as VobSub does.
  private static func isProgramStream(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 4)
    return pread(descriptor, &start, 4, 0) == 4 && start == [0, 0, 1, 0xBA]
  }

  /// Notes one file; true when it is a folder behind a link, to be entered.
  private mutating func note(
    _ name: String, _ kind: FoundKind?, in path: String, _ descriptor: Int32, isLink: Bool
  ) -> Bool {
    let place = path.isEmpty ? name : path + "/" + name
    var facts = stat()
    guard fstatat(descriptor, name, &facts, 0) == 0 else {
      skip(place, errno == ENOENT ? "its link leads nowhere" : String(cString: strerror(errno)))
      return false
    }
    if isLink, !folder.contains(place) {
      skip(place, "it leads outside the folder")
      return false
    }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: return true
    case S_IFREG: break
    default:
      skip(place, "it is no regular file")
      return false
    }
    guard let kind else {
      skip(place, "it is no media")
      return false
    }
    guard listing.files.count < Self.mostFiles else {
      skip(place, "there are more than \(Self.mostFiles) files")
      return false
    }
    listing.files.append(
      FoundFile(
        folder: path, name: name, kind: kind, byteCount: Int64(facts.st_size),
        modified: Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec),
        inode: UInt64(facts.st_ino)))
    return false
  }

  private mutating func skip(_ path: String, _ reason: String) {
    guard listing.skipped.count < Self.mostReasons else { return }
    listing.skipped.append(SkippedFile(path: path, reason: reason))
  }

  /// The name of an entry, or `nil` when it is no text.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
