import SiloStore

extension DownloadQueue {
  /// Remembers what a search found, so that adding it names it, and refuses a series, without asking the server.
  ///
  /// Never throws: a state that cannot be written costs the names. Nothing is kept when nobody is signed in.
  public func remember(_ findings: [SiloCatalog.Finding]) async {
    await remember(
      findings.map {
        KnownTitleTable.Row(
          content: $0.reference.episodeID ?? $0.reference.id, kind: $0.kind, title: $0.title)
      })
  }

  /// Remembers the episodes of the series `series`; see `remember`.
  public func remember(
    _ episodes: [SiloCatalog.SeriesEpisode], of series: SiloReference
  ) async {
    guard let owner else { return }
    let found = try? await read { try KnownTitleTable.row(series.id, of: owner, in: $0) }
    let name = (found ?? nil).map(\.title).map { $0 + " " } ?? ""
    await remember(
      episodes.compactMap { episode in
        episode.reference.episodeID.map {
          KnownTitleTable.Row(content: $0, kind: "episode", title: name + episode.title)
        }
      })
  }

  private func remember(_ rows: [KnownTitleTable.Row]) async {
    guard let owner, !rows.isEmpty else { return }
    _ = try? await change { try KnownTitleTable.store(rows, of: owner, in: $0) }
  }

  /// Refuses a series that is known to be one: nothing of it can be fetched as one item.
  func requireOneItem(_ wish: ItemWish, in connection: borrowing Connection) throws {
    guard let reference = try reference(of: wish), reference.episodeID == nil,
      let known = try known(reference, in: connection), ["series", "season"].contains(known.kind)
    else { return }
    throw DownloadError(
      .usage, "This is a series: fetch it with: silo-fetch season silo:\(reference.id)",
      subject: reference.description)
  }

  /// Gives an item of a server the name that a search told.
  func takeKnownTitle(
    _ number: Int64, _ wish: ItemWish, in connection: borrowing Connection
  ) throws {
    guard let reference = try reference(of: wish),
      let known = try known(reference, in: connection)
    else { return }
    try KnownTitleTable.name(number, known.title, in: connection)
  }

  private func reference(of wish: ItemWish) throws -> SiloReference? {
    wish.isOfServer ? try SiloReference(wish.source) : nil
  }

  private func known(
    _ reference: SiloReference, in connection: borrowing Connection
  ) throws -> KnownTitleTable.Row? {
    guard let owner else { return nil }
    return try KnownTitleTable.row(
      reference.episodeID ?? reference.id, of: owner, in: connection)
  }
}
