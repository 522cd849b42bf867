import SiloMedia
import SiloSystem

/// What was found in files on the web whose downloads are not finished yet.
struct SourceLooks: Sendable {
  let store: StateStore

  /// What is known of `source`; `nil` also when the record cannot be read, which only costs a look.
  func recall(_ source: String) async -> SourceLook? {
    let read = try? await store.read { try SourceLookTable.look(into: source, in: $0) }
    return read ?? nil
  }

  /// Forgets what was found in `source`: what came of it contradicts it.
  func forget(_ source: String) async throws {
    try await store.write { try SourceLookTable.forget(source, in: $0) }
  }
}
