import Foundation
import SiloDownloads
import SiloSystem

extension Surroundings {
  /// The file of the sign-in, beside the configuration.
  ///
  /// - Throws: `UsageError` without a home.
  func credentialFile() throws -> CredentialFile {
    guard let file = CredentialFile.ofUser(environment: environment) else {
      throw DownloadError(
        .config, "There is no place for the sign-in: neither XDG_CONFIG_HOME nor HOME is set.")
    }
    return file
  }

  /// Who is signed in, as items have it; `nil` for nobody.
  func owner() async -> String? {
    guard let file = try? credentialFile() else { return nil }
    return ((try? await file.read()) ?? nil)?.owner
  }

  /// The queue of whoever is signed in.
  func ownQueue() async -> DownloadQueue {
    var queue = queue()
    queue.owner = await owner()
    return queue
  }

  /// The library of whoever is signed in.
  func ownLibrary() async -> OfflineLibrary {
    var library = library()
    library.owner = await owner()
    return library
  }

  /// Tells the server at once what was removed here, if anything was and it can be reached; else the next command does.
  func tellServer(_ http: HTTPOptions) async {
    guard let file = try? credentialFile() else { return }
    _ = try? await SiloSession.open(file, http)
  }

  /// What downloads items of the server that is signed in to; `nil` without a place for the sign-in.
  ///
  /// - Parameters:
  ///   - pollPause: How often a file that the server still makes is asked for.
  ///   - season: Rows that are registered already.
  func siloDownloader(
    _ http: HTTPOptions, pollPause: Duration = .seconds(15), season: SeasonRows? = nil
  ) -> (any Downloading)? {
    guard let file = try? credentialFile() else { return nil }
    // Headers of the user are for the sources that are addresses.
    var own = http
    own.userHeaders = []
    return SiloDownloader(file, own, pollPause: pollPause, season: season)
  }

  /// The first lines of stdin, which are secrets.
  ///
  /// - Throws: `DownloadError.usage` when there are fewer.
  func secretLines(_ count: Int) async throws -> [String] {
    var lines: [String] = []
    while lines.count < count {
      guard let line = await inputLine(), !line.isEmpty else {
        throw DownloadError(
          .usage,
          "stdin is to bring \(count == 1 ? "one line" : "\(count) lines"), each with a secret; line \(lines.count + 1) is missing or empty."
        )
      }
      lines.append(line)
    }
    return lines
  }

  /// The name of this machine.
  static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    let code = gethostname(&name, name.count - 1)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return code == 0 && !text.isEmpty ? Redaction.cut(text, to: 64) : "silo-fetch"
  }
}
