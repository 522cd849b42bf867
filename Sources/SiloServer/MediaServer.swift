import Glibc
import SiloSystem
import Synchronization

public import struct Foundation.URL

/// A small HTTP server over a folder of media: its files in ranges, and each of them as multi-audio HLS.
///
/// `GET /` lists the media, `/PATH` is a file of the folder, `/hls/PATH/master.m3u8` the same file as HLS. Hidden files
/// and whatever lies outside the folder are never served.
public final class MediaServer: Sendable {
  /// How a server is started.
  public struct Options: Sendable {
    /// The folder that is served.
    public var folder: URL
    /// The address to listen on, a name or a literal one; loopback unless told otherwise.
    public var host: String
    /// The port to listen on; 0 takes any free one.
    public var port: UInt16
    /// Called for every request, on the server's threads: quick, and never blocking.
    public var log: (@Sendable (RequestRecord) -> Void)?
    /// The folder of what the server must remember; without one there are no accounts and no downloads.
    package var data: URL?
    /// What the owner allows.
    package var limits = DownloadLimits()
    /// How fast media is sent.
    package var bandwidth = BandwidthLimits()
    /// The files of the certificate and of its key, as PEM; without them nothing is encrypted.
    package var tls: (certificate: String, key: String)?
    /// An account that is made, or given another password, before anything is served.
    package var account: (name: String, password: String)?
    /// A profile that is made, or changed, before anything is served.
    package var profile: (account: String, name: String, pin: String?)?
    /// Told once of each file of the folder that belongs to no film or episode, and why: quick, and never blocking.
    package var notice: (@Sendable (_ path: String, _ reason: String) -> Void)?
    /// Told what goes wrong while it serves and no client hears, such as a disk that is full: quick, and never blocking.
    package var trouble: (@Sendable (String) -> Void)?
    /// What there is to download, instead of what lies in the folder.
    package var shelf: (any MediaShelf)?
    /// How many connections there may be, and how long one may do nothing.
    var connections = Daemon.Limits()
    /// How long what a sign-in brings holds.
    var lifetimes = AccountBook.Lifetimes()
    /// The seconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// `https` with a certificate.
    var scheme: String { tls == nil ? "http" : "https" }

    /// Serves `folder` on loopback, on any free port.
    public init(
      folder: URL, host: String = "127.0.0.1", port: UInt16 = 0,
      log: (@Sendable (RequestRecord) -> Void)? = nil
    ) {
      self.folder = folder
      self.host = host
      self.port = port
      self.log = log
    }
  }

  /// The address of the server, with the port that it got; it ends in a slash.
  public let url: URL
  /// The file with the key that was made at the first start; `nil` when there is none.
  package let keyFile: String?
  /// The id that the server keeps for ever; `nil` without data.
  package let id: String?

  private let accounts: ServerAccounts?
  private let presentations: Presentations
  private let tls: (certificate: String, key: String)?
  private let exchanges: Exchanges
  private let daemon: Mutex<Daemon?>

  private init(
    url: URL, accounts: ServerAccounts?, presentations: Presentations,
    tls: (certificate: String, key: String)?, exchanges: Exchanges, daemon: consuming sending Daemon
  ) {
    (self.tls, self.exchanges) = (tls, exchanges)
    self.url = url
    self.accounts = accounts
    (keyFile, id) = (accounts?.keyFile, accounts?.id)
    self.presentations = presentations
    self.daemon = Mutex(daemon)
  }

  /// Starts serving; requests are accepted when this returns.
  ///
  /// Throws `ServerError`: the folder is missing, the port is in use, the address is not this machine's, another server has
  /// the data.
  public static func start(_ options: Options) async throws -> MediaServer {
    let folder = try MediaFolder(options.folder)
    let presentations = Presentations()
    let certificate = try await certificate(options.tls)
    let accounts = try await ServerAccounts.open(options, over: folder)
    let table = RouteTable(
      routes: (accounts?.routes ?? []) + routes(over: folder, presentations))
    let exchanges = Exchanges(
      bandwidth: options.bandwidth, answer: { await table.answer($0) }, log: options.log)
    let socket = try ListeningSocket.listen(host: options.host, port: options.port)
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    guard let url = URL(string: "\(options.scheme)://\(host):\(socket.port)/") else {
      throw ServerError(.config, "This address cannot be written as a URL.", subject: host)
    }
    accounts?.catalog?.startWatching()
    await accounts?.catalog?.waitForFirstScan(atMost: firstScanLimit)
    return MediaServer(
      url: url, accounts: accounts, presentations: presentations, tls: options.tls,
      exchanges: exchanges,
      daemon: try Daemon.start(
        on: socket, exchanges: exchanges, limits: options.connections, certificate: certificate))
  }

  /// Reads the files of the certificate again, for the connections that come from now on.
  ///
  /// False when nothing is encrypted. Running transfers go on with the certificate that they began with.
  ///
  /// - Throws: `ServerError` that names the file and what is wrong with it; the certificate of before stays in use.
  package func reloadCertificate() async throws -> Bool {
    guard let certificate = try await Self.certificate(tls) else { return false }
    guard let renewed = RenewedCertificate(certificate) else {
      throw ServerError(
        .config, "This certificate cannot be used.", subject: tls?.certificate ?? "")
    }
    exchanges.renew(renewed)
    return true
  }

  private static func certificate(
    _ files: (certificate: String, key: String)?
  ) async throws -> ServerCertificate? {
    guard let files else { return nil }
    return try await onOwnThread(named: "server-tls") { _ in
      try ServerCertificate(certificate: files.certificate, key: files.key)
    }
  }

  /// How long a start waits for all of the folder to be known; what is left appears as it is looked into.
  private static let firstScanLimit = Duration.seconds(10)

  /// Stops accepting requests, waits for the answers that are being worked out, and closes every connection.
  ///
  /// Stopping twice does nothing. A server that is let go of stops, too.
  public func stop() async {
    await accounts?.catalog?.stopWatching()
    // Stopping joins the daemon's threads, which may wait for tasks: never on a thread of the shared pool.
    try? await onOwnThread(named: "server-stop") { [self] _ in
      let daemon = daemon.withLock { $0.take() }
      _ = consume daemon
      accounts?.close()
    }
  }

  /// Looks what has changed in the folder, without waiting for the next look that it takes by itself.
  ///
  /// Returns when it is known. A scan that fails, as on a full disk, leaves what was known.
  public func rescan() async {
    await presentations.forget()
    await accounts?.catalog?.lookAgain(isForced: true)
  }

  private static func routes(
    over folder: MediaFolder, _ presentations: Presentations
  ) -> [Route] {
    HLSRoutes(folder: folder, presentations: presentations).routes + [
      Route("/") { request, _ in ListingRoute.answer(request, files: folder.mediaFiles()) },
      Route("/*path") { request, words in
        let path = words["path"] ?? []
        guard let file = folder.open(path), let name = path.last else { return .notFound() }
        return ContentAnswer.answer(request, with: file, name: name)
      },
    ]
  }
}
