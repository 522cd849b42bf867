import struct Foundation.URL

extension SegmentKey {
  /// Reads EXT-X-KEY or EXT-X-SESSION-KEY; `nil` for METHOD=NONE.
  init?(_ list: AttributeList, address: PlaylistAddress) throws(PlaylistFlaw) {
    guard let methodText = list.text("METHOD") else { throw PlaylistFlaw("has no METHOD") }
    if methodText == "NONE" { return nil }
    method = Method(methodText)
    format = list.text("KEYFORMAT") ?? "identity"
    let versions = list.list("KEYFORMATVERSIONS", separator: "/").compactMap { Int($0) }
    formatVersions = versions.isEmpty ? [1] : versions
    explicitIV = nil
    if let text = list.text("IV") {
      guard let bytes = PlaylistNumber.hexadecimal(text, byteCount: 16) else {
        throw PlaylistFlaw("has an IV that is no hexadecimal number of at most 128 bits")
      }
      explicitIV = bytes
    }
    let reference = list.text("URI") ?? ""
    drmSystem = DRMSystem.name(keyFormat: format, method: method, reference: reference)
    guard drmSystem == nil else { return }
    guard !reference.isEmpty else { throw PlaylistFlaw("has no URI") }
    if reference.lowercased().hasPrefix("data:") {
      guard let bytes = DataURI.bytes(reference), bytes.count <= 4096 else {
        throw PlaylistFlaw("has a data: URI that cannot be read")
      }
      inlineBytes = bytes
      return
    }
    do {
      url = try address.resolve(reference)
    } catch {
      throw PlaylistFlaw("has a URI that \(error.reason)")
    }
  }
}

/// The names of DRM systems by what playlists call them.
enum DRMSystem {
  /// The system that a KEYFORMAT, a method or a key's URI belongs to; `nil` for a plain key.
  static func name(keyFormat: String, method: SegmentKey.Method, reference: String) -> String? {
    let format = keyFormat.lowercased()
    if format != "identity" { return name(identifier: format) ?? shown(keyFormat) }
    if reference.lowercased().hasPrefix("skd:") { return "FairPlay" }
    switch method {
    case .aes128, .sampleAES: return nil
    case .sampleAESCTR: return "Common Encryption (SAMPLE-AES-CTR)"
    case .other(let text): return shown(text)
    }
  }

  /// The system with that KEYFORMAT or `urn:uuid:` identifier, in lower case.
  static func name(identifier: String) -> String? {
    let uuid = identifier.hasPrefix("urn:uuid:") ? identifier.dropFirst(9) : Substring(identifier)
    return switch uuid {
    case "com.apple.streamingkeydelivery", "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": "FairPlay"
    case "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "com.widevine": "Widevine"
    case "9a04f079-9840-4286-ab92-e65be0885f95", "com.microsoft.playready": "PlayReady"
    case "e2719d58-a985-b3c9-781a-b030af78d30e", "1077efec-c0b2-4d02-ace3-3c1e52e2fb4b",
      "org.w3.clearkey":
      "ClearKey"
    case "f239e769-efa3-4850-9c16-a903c6932efb": "Adobe Primetime"
    default: nil
    }
  }

  private static func shown(_ text: String) -> String { PlaylistText.quoted(text.utf8) }
}

/// `data:` URIs (RFC 2397).
enum DataURI {
  /// The bytes that `text` carries, base64 or percent-encoded; `nil` when it breaks the form.
  static func bytes(_ text: String) -> [UInt8]? {
    guard let comma = text.firstIndex(of: ",") else { return nil }
    let head = text[..<comma].lowercased()
    let body = text[text.index(after: comma)...]
    if head.hasSuffix(";base64") { return base64(URLParts.decodedBytes(String(body))) }
    return URLParts.decodedBytes(String(body))
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var out: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in text where byte != 0x3D && byte != 0x0A && byte != 0x0D {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return out
  }
}
