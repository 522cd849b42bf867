import SiloContract
import SiloSystem

import struct Foundation.URL

/// Which asset of a download an address in its manifest means (pure).
///
/// An address is never requested: what it means is, by an address of our own making. So one that leads to another server, or to
/// another download, leads nowhere.
struct AssetAddress: Hashable, Sendable {
  /// What it means, behind the download's own path: `artwork/poster`, `subtitles/external:0`.
  let tail: String

  /// The asset that `text` means; `nil` when it is none of the download `id` on the server `server`.
  init?(_ text: String, of id: DownloadID, on server: SiloAddress) {
    let text = text.prefix { $0 != "?" && $0 != "#" }
    let lowered = text.lowercased()
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    guard text.utf8.count <= 2048, isPlain,
      !["..", "%2e", "%2f", "%5c", "%00", "@"].contains(where: lowered.contains)
    else { return nil }
    var path = text[...]
    if !text.hasPrefix("/") || text.hasPrefix("//") {
      guard let url = URL(string: String(text)), let origin = Origin(url),
        origin == Origin(server.root), let start = text.firstRange(of: "://"),
        let slash = text[start.upperBound...].firstIndex(of: "/")
      else { return nil }
      path = text[slash...]
    }
    let own = "/api/v1/downloads/\(id)/"
    guard
      let prefix = ["", server.root.path].map({ $0 + own }).first(where: { path.hasPrefix($0) })
    else { return nil }
    tail = String(path.dropFirst(prefix.count))
      .replacing("%3A", with: ":").replacing("%3a", with: ":")
  }

  /// Whether it means the artwork of that kind.
  func isArtwork(_ kind: ArtworkKind) -> Bool { tail == "artwork/\(kind.rawValue)" }

  /// The subtitles that it means; `nil` when it means none.
  var subtitles: SubtitleReference? {
    tail.hasPrefix("subtitles/") ? SubtitleReference(String(tail.dropFirst(10))) : nil
  }
}
