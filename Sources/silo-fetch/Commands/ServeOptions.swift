import SiloServer

/// What `serve` starts.
struct ServeOptions: Sendable {
  /// The folder of media.
  var folder: String
  /// The name or address to listen on.
  var host: String
  /// The port; 0 takes a free one.
  var port: UInt16
  /// The folder of what the server must remember; `nil` takes one of this folder's own.
  var data: String?
  /// What the owner allows.
  var limits = DownloadLimits()
  /// How fast media is sent.
  var bandwidth = BandwidthLimits()
  /// The files of a server that speaks TLS.
  var tls: TLSFiles?
  /// The account that is made, or given another password; its password is the first line of stdin.
  var newAccount: String?
  /// The profile that is made, or changed.
  var newProfile: ProfileName?
  /// Whether the profile's PIN is on stdin: the second line after a password, else the first.
  var readsPIN = false
  /// Called for every request; `nil` when nobody wants to know.
  var log: (@Sendable (RequestRecord) -> Void)?
  /// Told of each file that belongs to no film or episode, and why; `nil` when nobody wants to know.
  var notice: (@Sendable (_ path: String, _ reason: String) -> Void)?

  /// Told what goes wrong while it serves and no client hears.
  var trouble: (@Sendable (String) -> Void)?

  /// A certificate and its key.
  struct TLSFiles: Sendable, Equatable {
    var certificate: String
    var key: String
  }

  /// A profile by the names of its account and its own.
  struct ProfileName: Sendable, Equatable {
    var account: String
    var name: String

    /// Reads `USER/NAME`.
    init?(_ text: String) {
      let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else { return nil }
      (account, name) = (String(halves[0]), String(halves[1]))
    }
  }

  /// What is read from stdin, line by line.
  struct Secrets: Sendable, Equatable {
    var password: String?
    var pin: String?
  }

  /// The secrets in the next lines of stdin, which `line` reads.
  func secrets(line: @Sendable () async -> String?) async throws -> Secrets {
    func next(_ what: String) async throws -> String {
      guard let text = await line(), !text.isEmpty else {
        throw UsageError("stdin has no \(what); give it as a line of its own")
      }
      return text
    }
    let password = newAccount == nil ? nil : try await next("password")
    return Secrets(password: password, pin: readsPIN ? try await next("PIN") : nil)
  }

  /// Reads `HOST:PORT`, `[ADDRESS]:PORT`.
  static func listen(_ text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (host, port)
  }

  /// Reads `90`, `90s`, `30m`, `24h`, `7d` as seconds.
  static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? text[...] : text.dropLast()), number > 0 else {
      return nil
    }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflow || seconds > 10 * 366 * 86_400 ? nil : seconds
  }
}
