package import Foundation

/// A folder of a test's own, removed with everything in it when the last reference goes.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let url: URL

  /// Its path.
  package var path: String { url.path }

  /// Makes a new, empty folder in the system's temporary one.
  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("silo-test-\(UUID().uuidString)", isDirectory: true)
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of something in it, whether it exists or not.
  package func path(_ name: String) -> String { url.path + "/" + name }

  /// Writes a file, and the folders that it needs, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = path(name)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Writes a text file, and the folders that it needs, and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  /// The bytes of a file in it.
  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The names of everything in it, folders entered, sorted.
  package func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }
}
