import SiloDownloads
import SiloSystem

import struct Foundation.URL

extension HTTPOptions {
  /// Reads how requests are made.
  init(_ settings: Settings) throws(UsageError) {
    self.init()
    for value in settings.values["header"] ?? [] { userHeaders.append(try Self.header(value)) }
    userAgent = settings.text("user-agent") ?? "silo-fetch/\(Version.number)"
    proxy = settings.text("proxy")
    certificateAuthorities = settings.text("cacert").map { URL(filePath: $0) }
    acceptsAnyCertificate = try settings.isOn("insecure")
    usesNetrc = try settings.isOn("netrc")
    netrcFile = settings.text("netrc-file").map { URL(filePath: $0) }
    cookieFile = settings.text("cookies").map { URL(filePath: $0) }
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
      !parts[1].unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" || $0.value == 127 })
    else {
      throw Settings.error(
        Settings.Value(text: isName ? "\(name): ..." : "...", origin: value.origin),
        "should be 'Name: value' in one line")
    }
    return HTTPHeader(name, String(parts[1].drop { $0 == " " || $0 == "\t" }))
  }

  /// Reads a rate above 0: a size, with or without `/s`.
  static func rate(_ text: String) -> Int64? {
    let plain = text.lowercased().hasSuffix("/s") ? String(text.dropLast(2)) : text
    return ByteCount.parse(plain).flatMap { $0 > 0 ? $0 : nil }
  }
}
