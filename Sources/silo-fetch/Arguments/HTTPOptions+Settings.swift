import SiloDownloads
import SiloMedia
import SiloSystem

import struct Foundation.URL

extension HTTPOptions {
  /// Reads how requests are made.
  init(_ settings: Settings) throws(UsageError) {
    self.init()
    for value in settings.values["header"] ?? [] { userHeaders.append(try Self.header(value)) }
    userAgent =
      try settings.value("user-agent", should: "text in one line") {
        Self.isOneLine($0) ? $0 : nil
      } ?? "silo-fetch/\(Version.number)"
    proxy = try Self.proxy(settings)
    certificateAuthorities = try settings.path("cacert").map { URL(filePath: $0) }
    acceptsAnyCertificate = try settings.isOn("insecure")
    usesNetrc = try settings.isOn("netrc")
    netrcFile = try settings.path("netrc-file").map { URL(filePath: $0) }
    cookieFile = try settings.path("cookies").map { URL(filePath: $0) }
    attempts = try settings.integer("retry", in: 1...1_000_000) ?? attempts
    stallTime =
      try settings.value("timeout", should: "a number of seconds above 0") { text in
        Double(text).flatMap { 0.001...1_000_000 ~= $0 ? .seconds($0) : nil }
      } ?? stallTime
    bytesPerSecond = try settings.value(
      "limit-rate", should: "a rate such as 500K or 2M", Self.rate)
  }

  /// Reads `Name: value`; a message never repeats the value, which may be a secret.
  private static func header(_ value: Settings.Value) throws(UsageError) -> HTTPHeader {
    let parts = value.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let tokens = "!#$%&'*+-.^_`|~"
    let name = parts.first.map(String.init) ?? ""
    let isName =
      !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || tokens.contains($0)) }
    guard parts.count == 2, isName,
      Self.isOneLine(parts[1])
    else {
      throw Settings.error(
        Settings.Value(text: isName ? "\(name): ..." : "...", origin: value.origin),
        "should be 'Name: value' in one line")
    }
    guard !ownHeaders.contains(name.lowercased()) else {
      throw Settings.failure(
        value, "'\(name)' is no header to give: requests are framed, and bytes asked for, here")
    }
    return HTTPHeader(name, String(parts[1].drop { $0 == " " || $0 == "\t" }))
  }

  /// What a request says of itself, of its connection and of the bytes it wants: another word there, and what comes is not
  /// what was asked for.
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-connection", "range",
    "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Whether `text` has no character that would end its line on the wire.
  private static func isOneLine(_ text: some StringProtocol) -> Bool {
    !text.unicodeScalars.contains { $0.value < 32 && $0 != "\t" || $0.value == 127 }
  }

  /// Reads the proxy; a message never repeats it, for it may hold a password.
  private static func proxy(_ settings: Settings) throws(UsageError) -> String? {
    guard let value = settings["proxy"] else { return nil }
    // An empty one says, as to curl, that there is none.
    guard value.text.isEmpty || ProxyAddress(value.text) != nil else {
      throw Settings.failure(
        value,
        "should be [SCHEME://][USER:PASSWORD@]HOST[:PORT] with http, https, socks4, socks4a, socks5 or socks5h"
      )
    }
    return value.text
  }

  /// Refuses files of the settings that are not there or cannot be read: without them requests would be others than meant.
  static func checkFiles(
    _ settings: Settings, _ fault: (String) -> TextFile.Fault?
  ) throws(UsageError) {
    for name in ["cacert", "netrc-file", "cookies"] {
      guard let value = settings[name], let fault = fault(value.text) else { continue }
      throw UsageError(
        "\(value.origin): '\(Redaction.cut(value.text, to: 200))' cannot be used: \(fault)",
        exitCode: .config)
    }
  }

  /// Reads a rate above 0: a size, with or without `/s`.
  static func rate(_ text: String) -> Int64? {
    let plain = text.lowercased().hasSuffix("/s") ? String(text.dropLast(2)) : text
    return ByteCount.parse(plain).flatMap { $0 > 0 ? $0 : nil }
  }
}
