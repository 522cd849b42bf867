import SiloStore
import SiloSystem

public import struct Foundation.URL

/// The queue of one user: what is wanted, what runs, what became of it; shared by all processes of the user.
///
/// Listing, adding and every command are one short transaction and wait for nobody who downloads. `run` downloads; only one
/// process does so at a time. Each call opens the database for itself and costs a millisecond or two.
public struct DownloadQueue: Sendable {
  let store: StateStore
  /// Who is signed in: items of other accounts and profiles are neither seen nor touched.
  ///
  /// `nil` sees all of them, and runs none.
  package var owner: String?

  /// The queue in the folder `home`; `nil` is that of the user: `SILO_FETCH_HOME`, else `$XDG_DATA_HOME/silo-fetch`, else
  /// `~/.local/share/silo-fetch`.
  public init(home: URL? = nil) {
    store = home.map { StateStore(home: $0) } ?? StateStore()
  }

  /// Whether an item is there for whoever is signed in.
  func isSeen(_ item: QueueItem) -> Bool {
    owner == nil || item.owner == nil || item.owner == owner
  }

  var home: String { AtomicFile.folder(of: store.path) }

  /// An item that was added.
  public struct Addition: Sendable {
    /// The item.
    public var item: QueueItem
    /// What became of the wish.
    public var effect: Effect
    /// False when it was in the queue already.
    public var isNew: Bool { effect == .added }
  }

  /// What adding a wish does.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// It is a new item.
    case added
    /// It was wanted just so already.
    case known
    /// It was wanted otherwise: the newest wish counts.
    case changed
    /// It had ended and waits again.
    case again
    /// It runs, and is left alone.
    case running
    /// It is finished, and its file is there.
    case finished
    /// It is finished with another choice of tracks or container, and that is kept.
    case finishedOtherwise
  }

  /// Puts wishes at the end of the queue, all or none of them.
  ///
  /// The same source for the same place is the same item: its wish is the new one then, and what had ended waits again. An
  /// item that runs is left alone, and so is one whose finished file is there, unless the wish is to replace that. Paths that are relative belong to the current folder.
  ///
  /// - Parameter headers: The names of the headers that the requests need. Their values are not kept, and neither are user and
  ///   password of an address: such an item says what it needs and runs when that is given again.
  /// - Throws: `DownloadError` of a word that no download could begin with, as a file that is not there, or when the state cannot
  ///   be written; nothing is added then.
  public func add(
    _ requests: [DownloadRequest], headers: [String] = []
  ) async throws -> [Addition] {
    for request in requests { try Self.requireSource(request.source) }
    return try await put(requests.map { ItemWish($0, headers: headers) })
  }

  /// All items, the oldest first; finished ones too, until they are removed from the list.
  ///
  /// An item whose worker was killed is shown as waiting, which it is.
  ///
  /// - Throws: `DownloadError` when the state cannot be read.
  public func items() async throws -> [QueueItem] {
    let home = home
    return try await read { connection in
      try ItemTable.items(where: "is_listed <> 0", in: connection).filter(isSeen).map { item in
        var item = item
        if item.state.isRunning, !ItemLock.isHeld(item.number, in: home) { item.state = .waiting }
        return item
      }
    } ?? []
  }

  /// The item `id`; `nil` when there is none.
  public func item(_ id: String) async throws -> QueueItem? {
    guard let number = Int64(id) else { return nil }
    let item = try await read { try ItemTable.item(number, in: $0) } ?? nil
    return item.flatMap { isSeen($0) ? $0 : nil }
  }

  /// How many items run at once.
  public func limit() async throws -> Int {
    try await read { try ItemTable.limit(in: $0) }.flatMap { $0 } ?? Self.usualLimit
  }

  /// The number of items at once where nobody said another.
  public static let usualLimit = 2
  /// The most items at once.
  public static let highestLimit = 64

  /// Sets how many items run at once, 1 to 64; a run that goes on heeds it.
  public func setLimit(_ limit: Int) async throws {
    let limit = min(max(1, limit), Self.highestLimit)
    try await change { try ItemTable.setLimit(limit, in: $0) }
  }

  /// What the user should be told of the state: that a damaged one was set aside.
  public func warnings() -> [String] { store.damage.take() }
}
