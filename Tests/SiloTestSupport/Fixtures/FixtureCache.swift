import Foundation
import Glibc

/// Media that is made once a test process and then shared, read only.
package actor FixtureCache {
  /// The cache of this process.
  package static let shared = FixtureCache()

  private static let folder: URL = {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("silo-fixtures-\(getpid())", isDirectory: true)
      .resolvingSymlinksInPath()
    // Nothing outlives the process: its end is the end of the fixtures.
    atexit { try? FileManager.default.removeItem(at: FixtureCache.folder) }
    return url
  }()

  private var made: [String: Task<String, any Error>] = [:]

  /// The folder of the fixture `name`, made by the first caller while others wait.
  func folder(_ name: String, make: @escaping @Sendable (_ folder: String) async throws -> Void)
    async throws -> String
  {
    if let task = made[name] { return try await task.value }
    let folder = Self.folder.appendingPathComponent(name, isDirectory: true)
    let task = Task {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await make(folder.path)
      return folder.path
    }
    made[name] = task
    return try await task.value
  }
}
