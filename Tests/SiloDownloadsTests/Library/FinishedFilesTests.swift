import Foundation
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Finished files")
struct FinishedFilesTests {
  /// Records `film.mkv` in a folder as finished.
  private func record(
    _ files: FinishedFiles, in folder: TemporaryFolder
  ) async throws -> (any Error)? {
    try folder.write("film.mkv", "film")
    let url = folder.url.appending(path: "film.mkv")
    return try await files.record(
      url, from: url, sha256: "00", source: "http://here/film.mkv", selection: "as-stored",
      by: nil)
  }

  @Test("what the database cannot take is kept beside the file until it can")
  func beside() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "film.mkv")
    // A file where the folder of the database belongs.
    try folder.write("home", "")
    let files = FinishedFiles(
      store: StateStore(home: folder.url.appending(path: "home", directoryHint: .isDirectory)))
    #expect(try await record(files, in: folder) != nil)
    let known = try await files.record(of: url)
    #expect(known?.source == "http://here/film.mkv")
    #expect(try folder.names() == ["film.mkv", "film.mkv.part.finished", "home"])

    try FileManager.default.removeItem(at: folder.url.appending(path: "home"))
    #expect(try await files.record(of: url) == known)
    #expect(try !folder.names().contains("film.mkv.part.finished"))
    #expect(try await files.record(of: url) == known)
  }

  @Test("a note of another file, and one of a file that changed, say nothing")
  func others() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "film.mkv")
    try folder.write("home", "")
    let files = FinishedFiles(store: StateStore(home: folder.url.appending(path: "home")))
    #expect(try await record(files, in: folder) != nil)
    try FileManager.default.removeItem(atPath: folder.path("home"))
    try folder.write("other.mkv", "film")
    try FileManager.default.copyItem(
      atPath: folder.path("film.mkv.part.finished"), toPath: folder.path("other.mkv.part.finished"))
    #expect(try await files.record(of: folder.url.appending(path: "other.mkv")) == nil)
    try folder.write("film.mkv", "another film")
    #expect(try await files.record(of: url) == nil)
    try folder.write("film.mkv.part.finished", "{")
    #expect(try await files.record(of: url) == nil)
  }

  @Test("a file of which nobody can tell that it was finished is not finished")
  func neither() async throws {
    let folder = try TemporaryFolder()
    try folder.write("home", "")
    try folder.write("film.mkv.part.finished/in the way", "")
    let files = FinishedFiles(store: StateStore(home: folder.url.appending(path: "home")))
    await #expect(throws: (any Error).self) { _ = try await record(files, in: folder) }
  }
}
