import Foundation
import SiloServer
import SiloSystem

/// A running server, as far as `serve` needs it.
protocol ServingMedia: Sendable {
  /// Where it answers, without a slash at the end.
  var address: String { get }
  /// The file with the key that the first start made; `nil` when there is none.
  var keyFile: String? { get }
  /// The id that it keeps for ever; `nil` when it remembers nothing.
  var id: String? { get }
  /// Reads the certificate again; false when there is none.
  func reloadCertificate() async throws -> Bool
  /// Looks at the folder again.
  func rescan() async
  /// Stops after the running requests.
  func stop() async
}

extension MediaServer: ServingMedia {
  /// Where it answers, without a slash at the end, so that a path can follow.
  var address: String {
    let text = url.absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension ServeOptions {
  /// The server's own options.
  func serverOptions(
    _ secrets: Secrets, environment: [String: String]
  ) throws -> MediaServer.Options {
    var options = MediaServer.Options(
      folder: URL(filePath: folder, directoryHint: .isDirectory), host: host, port: port, log: log)
    options.data = URL(
      filePath: try data ?? defaultData(environment), directoryHint: .isDirectory)
    options.limits = limits
    options.bandwidth = bandwidth
    options.tls = tls.map { ($0.certificate, $0.key) }
    (options.notice, options.trouble) = (notice, trouble)
    if let newAccount, let password = secrets.password { options.account = (newAccount, password) }
    if let newProfile {
      options.profile = (newProfile.account, newProfile.name, secrets.pin)
    }
    return options
  }

  /// `server/` in the home of the program, and in it one folder for each folder of media: ids and rows are of that one.
  func defaultData(_ environment: [String: String]) throws -> String {
    let folder = URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL
      .resolvingSymlinksInPath()
    let name = folder.lastPathComponent.filter { $0.isLetter || $0.isNumber || $0 == "-" }
    let mark = try Digest.hex(of: Array(folder.path.utf8)).prefix(12)
    return "\(Self.home(environment))/server/\(name.prefix(40))-\(mark)"
  }

  private static func home(_ environment: [String: String]) -> String {
    if let home = environment["SILO_FETCH_HOME"], !home.isEmpty { return home }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/silo-fetch" }
    let own = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (own ?? NSHomeDirectory()) + "/.local/share/silo-fetch"
  }
}
