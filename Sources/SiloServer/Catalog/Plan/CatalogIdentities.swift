import SiloSystem

/// Which id an item has: the one that it had, also when it is called another way now.
///
/// A pure value: it starts from what the database knows and ends with what is to be stored.
struct CatalogIdentities: Sendable {
  /// What is new: the ids of items by what they are told apart by.
  private(set) var changes: [(key: String, id: String)] = []
  /// All ids by what items are told apart by.
  private(set) var ids: [String: String]
  private var keys: [String: String] = [:]
  /// The ids that an item of this plan has already.
  private var taken: Set<String> = []

  /// Starts from the ids that are known.
  init(_ ids: [String: String]) {
    self.ids = ids
    for (key, id) in ids { keys[id] = key }
  }

  /// The ids of all that `plan` holds.
  ///
  /// - Parameter owners: Whose each file was, by its path: of an item that is gone the id goes to the one that has its files.
  mutating func assign(
    _ plan: CatalogPlan, owners: [String: String]
  ) throws -> [CatalogPlan.Owner: String] {
    var assigned: [CatalogPlan.Owner: String] = [:]
    var waiting: [(owner: CatalogPlan.Owner, key: String, former: [String])] = []
    for (key, film) in plan.films.sorted(by: { $0.key < $1.key }) {
      waiting.append((.film(key), key, film.paths.compactMap { owners[$0] }))
    }
    for (key, series) in plan.series.sorted(by: { $0.key < $1.key }) {
      let episodes = series.episodes.values.flatMap(\.paths).compactMap { owners[$0] }
      waiting.append((.series(key), key, episodes.compactMap { self.series(of: $0) }))
    }
    // Whoever is called as before keeps its id; only then can be said which are left.
    for (owner, key, _) in waiting {
      guard let id = ids[key], taken.insert(id).inserted else { continue }
      assigned[owner] = id
    }
    for (owner, key, former) in waiting where assigned[owner] == nil {
      let prefix = if case .film = owner { "mv_" } else { "sr_" }
      assigned[owner] = try renamed(key, prefix, former) ?? made(key, prefix)
    }
    for (seriesKey, series) in plan.series.sorted(by: { $0.key < $1.key }) {
      guard let id = assigned[.series(seriesKey)] else { continue }
      for place in series.episodes.keys.sorted() {
        let key = Self.episodeMark + "\(id):\(place.season):\(place.number)"
        assigned[.episode(seriesKey, place)] = try ids[key] ?? made(key, "ep_")
      }
    }
    return assigned
  }

  /// The id of an item that is gone and had most of these files.
  private mutating func renamed(_ key: String, _ prefix: String, _ former: [String]) -> String? {
    var counts: [String: Int] = [:]
    for id in former where id.hasPrefix(prefix) && !taken.contains(id) {
      counts[id, default: 0] += 1
    }
    // Of two with as many files the one with the smaller id, so that it is the same one every time.
    guard let id = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
      let before = keys[id]
    else { return nil }
    ids[before] = nil
    note(key, id)
    return id
  }

  /// A new id, made of the key, so that a lost database costs as few ids as possible.
  private mutating func made(_ key: String, _ prefix: String) throws -> String {
    var id: String
    var attempt = 0
    repeat {
      let text = attempt == 0 ? key : "\(key)#\(attempt)"
      id = prefix + (try Digest.hex(of: Array(text.utf8))).prefix(16)
      attempt += 1
    } while keys[id] != nil
    note(key, id)
    return id
  }

  private mutating func note(_ key: String, _ id: String) {
    ids[key] = id
    keys[id] = key
    taken.insert(id)
    changes.append((key, id))
  }

  private static let episodeMark = "episode:"

  /// The series that an episode's id was made for.
  private func series(of episode: String) -> String? {
    guard let key = keys[episode], key.hasPrefix(Self.episodeMark) else { return nil }
    return key.dropFirst(Self.episodeMark.count).split(separator: ":").first.map(String.init)
  }
}
