import SiloContract
import SiloStore
import SiloSystem

/// What a server with data has beyond files: accounts, and the downloads that they register.
struct ServerAccounts: Sendable {
  /// The id that the server keeps for ever.
  let id: String
  /// The file with the key of the first start.
  let keyFile: String?
  /// The addresses below `/api`.
  let routes: [Route]
  /// What is in the folder that is served; `nil` when another shelf was given.
  let catalog: Catalog?
  private let folder: DataFolder

  /// Opens the data that `options` name; `nil` when they name none.
  static func open(
    _ options: MediaServer.Options, over media: MediaFolder
  ) async throws -> ServerAccounts? {
    guard let data = options.data else { return nil }
    try DataFolder.require(data, apartFrom: options.folder)
    let folder = try DataFolder(data)
    do {
      return try await ServerAccounts(options, folder, media)
    } catch let error as StoreError {
      let isFull = error.code == .full
      throw ServerError(
        isFull ? .space : .config,
        isFull
          ? "The disk is full; make room, or give another place with --data."
          : "The server's database cannot be used: \(error.message).",
        subject: error.path ?? folder.path)
    } catch let error as SystemCallError {
      throw DataFolder.failure(error, folder.path)
    } catch let error as Refusal {
      throw ServerError(.config, error.message + ".", subject: "--add-profile")
    }
  }

  /// Leaves the data to another server.
  func close() { folder.release() }

  private init(
    _ options: MediaServer.Options, _ folder: DataFolder, _ media: MediaFolder
  ) async throws {
    self.folder = folder
    let store = try ServerStore(folder.file("server.sqlite"))
    let book = try AccountBook(store: store, now: options.now, lifetimes: options.lifetimes)
    id = try await book.serverID()
    keyFile = try await FirstAccount.make(in: folder, book, name: options.account?.name)
    if let account = options.account {
      try await book.setAccount(account.name, password: account.password)
    }
    if let profile = options.profile {
      guard let account = try await book.account(profile.account) else {
        throw Refusal.badRequest("There is no account '\(profile.account)'")
      }
      _ = try await book.setProfile(
        ProfileRequest(name: profile.name, pin: profile.pin), of: account.id, isReplacing: true)
    }
    let gate = Gate(book: book)
    var routes = AccountRoutes(
      book: book, gate: gate, limits: options.limits, scheme: options.scheme
    ).routes
    routes += ActivationRoutes(book).routes
    catalog =
      options.shelf != nil
      ? nil
      : try await onOwnThread(named: "catalog") { _ in
        let notice = options.notice
        return try Catalog(
          media, database: folder.file("catalog.sqlite"),
          notice: { notice?($0.path, $0.reason) }, trouble: options.trouble)
      }
    if let catalog { routes += CatalogRoutes(catalog: catalog, gate: gate).routes }
    if let shelf = options.shelf ?? catalog {
      let registry = DownloadRegistry(store: store, limits: options.limits, now: options.now)
      routes += DownloadRoutes(gate: gate, registry: registry, shelf: shelf).routes
    }
    self.routes = routes + [Route("*", "/api/*rest") { _, _ in .notFound() }]
  }
}
