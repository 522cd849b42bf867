/// How media is encrypted, as far as a download is concerned.
public enum Encryption: Hashable, Sendable, Codable {
  /// Clear.
  case none
  /// HLS AES-128 over whole segments (RFC 8216, 5.2).
  case aes128
  /// HLS SAMPLE-AES with an identity key.
  case sampleAES
  /// A DRM system, by its name: `Widevine`, `FairPlay`, `PlayReady`, `ClearKey`, or the raw key format.
  case drm(String)
  /// Common encryption inside the file without a known system: `cenc`, `cbcs`, …
  case commonEncryption(String)

  /// The name printed and written to JSON: `none`, `aes-128`, `sample-aes`, or the system's name.
  public var name: String {
    switch self {
    case .none: "none"
    case .aes128: "aes-128"
    case .sampleAES: "sample-aes"
    case .drm(let system): system.lowercased()
    case .commonEncryption(let scheme): scheme
    }
  }
}
