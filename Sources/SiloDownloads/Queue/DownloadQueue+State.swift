import Foundation
import SiloStore
import SiloSystem

extension DownloadQueue {
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result? {
    do { return try await store.read(body) } catch { throw Self.failure(error) }
  }

  func change<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    do { return try await store.write(body) } catch { throw Self.failure(error) }
  }

  static func unknown(_ id: String) -> DownloadError {
    DownloadError(
      .notFound, "There is no such item; `queue` and `library` list those that there are.",
      subject: Redaction.printable(id))
  }

  /// What a failure to use the state is to the caller.
  static func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as StoreError: DownloadError(state: error)
    case let error as SystemCallError: DownloadError(writing: error)
    case let error as CocoaError:
      DownloadError(
        error.code == .fileWriteOutOfSpace ? .space : .config,
        "The folder of the state cannot be made: \(error.localizedDescription)", cause: error)
    default: error
    }
  }
}

extension DownloadError {
  /// A failure of the database of the queue and the library.
  init(state error: StoreError) {
    let (code, text): (Code, String) =
      switch error.code {
      case .full: (.space, "The disk of the queue's state is full, or your quota on it.")
      case .busy: (.temporary, "Another process writes the queue's state all the time.")
      default: (.config, "The queue's state cannot be used (\(error.message)).")
      }
    self.init(code, text, subject: error.path.map(Redaction.printable), cause: error)
  }
}
