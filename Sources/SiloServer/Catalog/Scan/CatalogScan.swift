import Glibc
import SiloStore
import SiloSystem
import Synchronization

/// Brings what the catalog knows up to what is on the disk; one scan at a time.
///
/// Everything here blocks: on a thread of its own only.
final class CatalogScan: Sendable {
  private struct State {
    /// What the last scan found; `nil` before the first.
    var files: [FoundFile]?
    /// The files of the database, those that are gone among them, by absolute path.
    var media: [String: StoredMedia] = [:]
    var items: [String: String] = [:]
    var names: CatalogPlanner.Names = [:]
    var notes: [String: (file: FoundFile, notes: [MediaNotes], flaw: String?)] = [:]
    /// Whether anything was published yet.
    var wasPublished = false
  }

  private let folder: MediaFolder
  private let store: CatalogStore
  private let state = Mutex(State())

  /// How many files are looked into before what was found is stored.
  private static let chunk = 500

  init(_ folder: MediaFolder, _ store: CatalogStore) {
    self.folder = folder
    self.store = store
  }

  /// Walks through the folder and looks into what is new or has changed.
  ///
  /// - Parameters:
  ///   - isForced: Whether files that could not be read are tried again although nothing has changed.
  ///   - publish: Called with what is known, also in between when there is much to look into; not at all when nothing has
  ///     changed. When the database takes nothing, as on a full disk, a first scan gives what it had.
  /// - Throws: `CancellationError` once the flag is raised, `StoreError` of the database.
  func run(
    isForced: Bool = false, unless cancel: CancellationFlag,
    publish: (CatalogContents) -> Void
  ) throws {
    let listing = try FolderWalk.listing(of: folder, unless: cancel)
    try state.withLock { state in
      if state.files == listing.files, !isForced { return }
      if state.files == nil { try load(&state) }
      let (notes, flaws) = try readNotes(listing, &state, cancel)
      let plan = CatalogPlanner.plan(
        listing.files, notes: notes, rootName: CatalogPlanner.parts(of: folder.root).name,
        names: &state.names)
      let skipped = listing.skipped + flaws
      do {
        try look(into: listing.files, of: plan, &state, cancel) { state in
          publish(try contents(plan, &state, skipped))
        }
        publish(try contents(plan, &state, skipped))
      } catch let error as StoreError {
        // What was not stored must not be taken for it: the next scan begins with what the database has.
        state.files = nil
        guard !state.wasPublished else { throw error }
        try load(&state)
        publish(try contents(plan, &state, skipped, isStored: false))
        throw error
      }
      (state.files, state.wasPublished) = (listing.files, true)
    }
  }

  private func load(_ state: inout State) throws {
    state.media = [:]
    for media in try store.media() { state.media[media.path] = media }
    state.items = try store.items()
  }

  /// Looks into every file of the plan that is new or has changed.
  private func look(
    into files: [FoundFile], of plan: CatalogPlan, _ state: inout State, _ cancel: CancellationFlag,
    publish: (inout State) throws -> Void
  ) throws {
    let wanted = files.filter { plan.media[$0.path] != nil }
    // A file with another name is the file that it was: its number stays, and nothing is looked into.
    let moved = Self.moved(wanted.map { ($0, absolute($0.path)) }, state.media)
    try store.store(moved: moved)
    for (path, before) in moved {
      guard var media = state.media.removeValue(forKey: before) else { continue }
      media.path = path
      state.media[path] = media
    }
    var jobs: [LookCrew.Job] = []
    for file in wanted {
      let path = absolute(file.path)
      if let known = state.media[path], known.isOf(file), known.failure != Self.unreadable {
        continue
      }
      jobs.append((file, state.media[path]))
    }
    var published = ContinuousClock.now
    for start in stride(from: 0, to: jobs.count, by: Self.chunk) {
      let looks = try LookCrew.looks(jobs[start...].prefix(Self.chunk), of: folder, unless: cancel)
      for media in try store.store(looks) { state.media[media.path] = media }
      let now = ContinuousClock.now
      if now - published > .seconds(3), start + Self.chunk < jobs.count {
        published = now
        try publish(&state)
      }
    }
  }

  /// What somebody may have allowed meanwhile: asked again at every scan that finds a change.
  private static let unreadable = "it may not be read"

  /// Where files were that have new names: they kept their number on the disk, their length and their time.
  static func moved(
    _ files: [(file: FoundFile, path: String)], _ media: [String: StoredMedia]
  ) -> [String: String] {
    struct Trace: Hashable {
      var inode: UInt64
      var byteCount: Int64
      var modified: Int64
    }
    let present = Set(files.map(\.path))
    var left: [Trace: [String]] = [:]
    for known in media.values where !present.contains(known.path) {
      let trace = Trace(
        inode: known.inode, byteCount: known.byteCount, modified: known.modified)
      left[trace, default: []].append(known.path)
    }
    var moved: [String: String] = [:]
    var claims: [String: Int] = [:]
    for (file, path) in files where media[path] == nil {
      let trace = Trace(inode: file.inode, byteCount: file.byteCount, modified: file.modified)
      guard let before = left[trace], before.count == 1 else { continue }
      moved[path] = before[0]
      claims[before[0], default: 0] += 1
    }
    // Two names of one file: nobody can say which of them is the old one.
    return moved.filter { claims[$0.value] == 1 }
  }

  /// What the plan comes to now; ids and owners that changed are stored, unless nothing can be.
  private func contents(
    _ plan: CatalogPlan, _ state: inout State, _ skipped: [SkippedFile], isStored: Bool = true
  ) throws -> CatalogContents {
    var media: [String: StoredMedia] = [:]
    var owners: [String: String] = [:]
    for path in plan.media.keys {
      guard let known = state.media[absolute(path)] else { continue }
      media[path] = known
      owners[path] = known.ownerID
    }
    var identities = CatalogIdentities(state.items)
    let ids = try identities.assign(plan, owners: owners)
    if isStored {
      let changed = note(plan, ids, media, &state)
      try store.store(
        owners: changed, items: identities.changes, now: Int64(time(nil)))
      state.items = identities.ids
    }
    return CatalogContents(plan, ids: ids, media: media, skipped: skipped)
  }

  /// Notes whose the files are and which are gone; returns those of which that is new.
  private func note(
    _ plan: CatalogPlan, _ ids: [CatalogPlan.Owner: String], _ media: [String: StoredMedia],
    _ state: inout State
  ) -> [StoredMedia] {
    var changed: [StoredMedia] = []
    var present: Set<String> = []
    for (path, known) in media {
      present.insert(known.path)
      var known = known
      let owner = plan.media[path].flatMap { ids[$0.owner] }
      guard known.ownerID != owner || known.gone != nil else { continue }
      (known.ownerID, known.gone) = (owner, nil)
      changed.append(known)
    }
    let now = Int64(time(nil))
    for (path, known) in state.media where known.gone == nil && !present.contains(path) {
      var known = known
      known.gone = now
      changed.append(known)
    }
    for media in changed { state.media[media.path] = media }
    return changed
  }

  /// What the NFO files say; those that did not change are not read again.
  private func readNotes(
    _ listing: FolderListing, _ state: inout State, _ cancel: CancellationFlag
  ) throws -> ([String: [MediaNotes]], [SkippedFile]) {
    var kept = state.notes
    state.notes = [:]
    var notes: [String: [MediaNotes]] = [:]
    var flaws: [SkippedFile] = []
    for file in listing.files where file.kind == .notes {
      try cancel.check()
      let path = file.path
      let known = kept.removeValue(forKey: path).flatMap { $0.file == file ? $0 : nil }
      let entry = known ?? read(file)
      state.notes[path] = entry
      if !entry.notes.isEmpty { notes[path] = entry.notes }
      if let flaw = entry.flaw { flaws.append(SkippedFile(path: path, reason: flaw)) }
    }
    return (notes, flaws)
  }

  private func read(_ file: FoundFile) -> (file: FoundFile, notes: [MediaNotes], flaw: String?) {
    guard file.byteCount <= NotesReader.byteLimit else {
      return (file, [], "it is larger than 1 MiB")
    }
    guard let open = folder.open(file.path.split(separator: "/").map(String.init)),
      let bytes = try? DescriptorSource(open).bytes(at: 0, count: Int(file.byteCount))
    else { return (file, [], "it may not be read") }
    do throws(NotesFlaw) {
      return (file, try NotesReader.read(bytes), nil)
    } catch {
      return (file, [], error.reason)
    }
  }

  private func absolute(_ path: String) -> String { folder.root + "/" + path }
}
