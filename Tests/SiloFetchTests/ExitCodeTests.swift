import SiloDownloads
import SiloMedia
import Testing

@testable import silo_fetch

@Suite struct ExitCodeTests {
  @Test func `each class of failure has the exit code that scripts rely on`() {
    let rows: [(DownloadError.Code, Int32)] = [
      (.usage, 2), (.notFound, 3), (.auth, 4), (.temporary, 5), (.config, 7), (.integrity, 8),
      (.space, 9), (.unavailable, 10), (.locked, 11), (.unsupported, 12), (.interrupted, 130),
    ]
    for (code, status) in rows { #expect(ExitCode(code).status == status, "\(code)") }
    let media: [(MediaError.Code, String, Int32)] = [
      (.unsupported, "unsupported", 12), (.encrypted, "unsupported", 12),
      (.corrupt, "integrity", 8), (.malformed, "unsupported", 12), (.notFound, "not_found", 3),
      (.overBudget, "space", 9), (.noSpace, "space", 9), (.usage, "usage", 2),
      (.inputOutput, "config", 7), (.internal, "config", 7),
    ]
    for (code, name, status) in media {
      let failure = Failure(MediaError(code, "m"))
      #expect(failure.code.description == name)
      #expect(ExitCode(failure.code).status == status, "\(code)")
    }
    #expect(Failure(CancellationError()).code == .interrupted)
    #expect(Failure(CancellationError()).isWorthRetrying)
  }

  @Test func `several items give 0, their shared code, 1 or 6`() {
    let rows: [(Int, [ExitCode], Int32)] = [
      (0, [], 0), (2, [], 0), (0, [.notFound], 3), (1, [.notFound], 1),
      (0, [.space, .space], 9), (0, [.space, .notFound], 6), (2, [.space, .notFound], 1),
    ]
    for (succeeded, failures, status) in rows {
      #expect(ExitCode(succeeded: succeeded, failures: failures).status == status)
    }
  }
}
