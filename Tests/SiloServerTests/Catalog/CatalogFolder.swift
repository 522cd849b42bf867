import Foundation
import SiloTestSupport

@testable import SiloServer

/// A folder of real media, and a catalog over it whose database lies elsewhere.
final class CatalogFolder: Sendable {
  let folder: TemporaryFolder
  let data: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    data = try TemporaryFolder()
  }

  /// A catalog that was opened anew, as after a restart, and has looked once.
  func catalog() async throws -> Catalog {
    let catalog = try Catalog(try MediaFolder(folder.url), database: data.path("catalog.sqlite"))
    try await catalog.rescan()
    return catalog
  }

  /// Puts four seconds of a film with six audio tracks at `path`, another one for each `number`.
  func addFilm(_ path: String, number: UInt8 = 0) async throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try await Film.opening())))
    // A Void element behind the film, so that no two files are equal.
    bytes += [0xEC, 0x81, number]
    try folder.write(path, bytes)
  }

  /// Moves something.
  func move(_ path: String, to new: String) throws {
    let target = URL(filePath: folder.path(new))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: URL(filePath: folder.path(path)), to: target)
  }

  /// Removes something.
  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(path))
  }
}

extension CatalogContents {
  /// The item of that title.
  func item(titled title: String) -> CatalogItem? {
    items.values.first { $0.title == title }
  }

  /// Titles of films and series, in order.
  var shelf: [String] {
    CatalogSearch(limit: 100).results(in: self).items.map(\.title)
  }
}
