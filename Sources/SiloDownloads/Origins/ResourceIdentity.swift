import Foundation
import SiloSystem

/// Tells one resource from another by its URL without keeping the secrets of it (pure).
///
/// What looks like a token is left out, since a new token does not make another resource; the rest of the query counts, as
/// a digest: `/get?id=1` and `/get?id=2` are two films.
enum ResourceIdentity {
  /// The URL without userinfo, fragment and query, and the digest of what counts of the query.
  static func text(of url: URL) -> String {
    let query = query(of: url)
    return Redaction.identity(of: url) + (query.isEmpty ? "" : " #\(query)")
  }

  /// The digest of what counts of the query, 16 hexadecimal digits; empty when nothing does.
  static func query(of url: URL) -> String {
    let items = (url.query(percentEncoded: true) ?? "").split(separator: "&").filter {
      !isToken(String($0.prefix { $0 != "=" }))
    }
    guard !items.isEmpty else { return "" }
    let text = items.joined(separator: "&")
    return String(((try? Digest.hex(of: Array(text.utf8))) ?? text).prefix(16))
  }

  /// Whether a part of the query looks like a token.
  static func hasToken(_ url: URL) -> Bool {
    (url.query(percentEncoded: true) ?? "").split(separator: "&").contains {
      isToken(String($0.prefix { $0 != "=" }))
    }
  }

  /// Whether a parameter of that name changes from request to request while the resource stays.
  private static func isToken(_ name: String) -> Bool {
    let name = name.lowercased()
    return tokens.contains(name) || prefixes.contains { name.hasPrefix($0) }
      || ["token", "signature", "expire", "secret", "session"].contains { name.contains($0) }
  }

  private static let prefixes = ["x-amz-", "x-goog-", "hdn", "x-ms-"]
  private static let tokens: Set<String> = [
    "auth", "authorization", "sig", "sign", "e", "exp", "st", "t", "ts", "timestamp", "time",
    "key", "apikey", "api_key", "key-pair-id", "policy", "hash", "hmac", "jwt", "sid", "nonce",
    "wmsauthsign", "md5", "verify", "ticket", "pass", "password", "se", "sp", "sv", "sr", "_",
  ]
}
