import SiloContract
import SiloSystem

/// An item of the server that is signed in to, as a source names it (pure): `silo:ID`, or `silo:SERIES/EPISODE`.
public struct SiloReference: Hashable, Sendable, CustomStringConvertible {
  /// The id of a film, a series or an episode; of the series where an episode is named too.
  public let id: String
  /// The id of an episode of the series `id`.
  public let episodeID: String?

  /// A reference to what a search found.
  init(id: String, episodeID: String? = nil) { (self.id, self.episodeID) = (id, episodeID) }

  /// Reads a source.
  ///
  /// - Returns: `nil` for a source of another kind.
  /// - Throws: `DownloadError.usage` for an id that could lead elsewhere.
  public init?(_ source: String) throws {
    guard source.lowercased().hasPrefix("silo:") else { return nil }
    let parts = source.dropFirst(5).split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ ContentID(String($0)) != nil }) else {
      throw DownloadError(
        .usage, "An item of a server looks like silo:ID or silo:SERIES/EPISODE.",
        subject: Redaction.printable(Redaction.cut(source, to: 200)))
    }
    self.init(id: String(parts[0]), episodeID: parts.count == 2 ? String(parts[1]) : nil)
  }

  /// As a source.
  public var description: String { "silo:\(id)" + (episodeID.map { "/\($0)" } ?? "") }
}

/// The id of a film, a series, a season or an episode: it goes into paths.
struct ContentID: PathSafeID {
  let text: String
  init(checked text: String) { self.text = text }
}
