import Glibc
import SiloSystem

/// What lies where files beside media are wanted, and how they get there: whole and durable, and never over the user's own.
enum SidecarDisk {
  /// What there is of one entry of a plan.
  enum State: Hashable, Sendable {
    /// It has to be made; in the place of these, which are ours and of another version.
    case wanted(instead: [String])
    /// It is there.
    case there
    /// A file that is not from here, or was changed since, has its name.
    case foreign(String)
  }

  /// A file that is about to get its name.
  struct Written: Sendable {
    let sidecar: Sidecar
    /// What it takes the place of.
    let instead: [String]
    var temporary: String { sidecar.path + Sidecar.writing }
  }

  /// The paths that an entry may get.
  static func paths(of entry: SidecarPlan.Entry) -> [String] {
    guard case .artwork = entry.content else { return [entry.path] }
    return [entry.path, entry.pathIfWide].compactMap { $0 }.flatMap { path in
      ImageForm.suffixes.map { "\(path).\($0)" }
    }
  }

  /// What there is of `entry`.
  ///
  /// - Parameters:
  ///   - known: What was written here, by path.
  ///   - isCurrent: Whether it is of the revision that is wanted.
  static func state(
    of entry: SidecarPlan.Entry, known: [String: Sidecar], isCurrent: (Sidecar) -> Bool
  ) -> State {
    var instead: [String] = []
    var foreign: String?
    for path in paths(of: entry) {
      guard exists(path) else { continue }
      guard let sidecar = known[path], sidecar.isStill(FileFacts(path)) else {
        foreign = foreign ?? path
        continue
      }
      if isCurrent(sidecar) { return .there }
      instead.append(path)
    }
    return foreign.map(State.foreign) ?? .wanted(instead: instead)
  }

  /// Whether anything has the name, a link that leads nowhere included.
  static func exists(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Writes `bytes` beside where they will be, durably.
  static func write(_ bytes: [UInt8], for sidecar: Sidecar, instead: [String]) throws -> Written {
    let temporary = sidecar.path + Sidecar.writing
    AtomicFile.remove(temporary)
    let file = try OwnedDescriptor.open(temporary, .createNew)
    do {
      try file.write(bytes, at: 0)
      try file.synchronize()
      var sidecar = sidecar
      (sidecar.byteCount, sidecar.modified) = (
        Int64(bytes.count), try file.modificationNanoseconds()
      )
      try file.close()
      return Written(sidecar: sidecar, instead: instead)
    } catch {
      AtomicFile.remove(temporary)
      throw error
    }
  }

  /// Removes, durably, what files that are about to be recorded take the place of.
  ///
  /// A row tells one file alone: beside that of the next version, the one before would count as somebody else's after a crash,
  /// and stay for good.
  static func clear(for written: [Written]) throws {
    let old = written.flatMap(\.instead)
    for path in old { AtomicFile.remove(path) }
    for folder in Set(old.map(AtomicFile.folder(of:))) {
      try AtomicFile.synchronizeFolder(folder)
    }
  }

  /// Gives a file that was recorded its name, which is free.
  ///
  /// - Returns: False when another file has got the name meanwhile, and is kept.
  static func name(_ written: Written) throws -> Bool {
    do {
      try AtomicFile.renameDurably(
        written.temporary, to: written.sidecar.path, isReplacing: false)
    } catch let error as SystemCallError where error.isExisting {
      AtomicFile.remove(written.temporary)
      return false
    }
    return true
  }
}
