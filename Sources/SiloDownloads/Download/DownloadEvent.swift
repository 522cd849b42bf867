public import SiloMedia

public import struct Foundation.URL

/// What a running download tells, in order.
public enum DownloadEvent: Sendable {
  /// What the source holds and what was chosen.
  case inspected(Inspection)
  /// Where the file will lie; told before anything is written there.
  case placed(URL)
  /// It entered a phase.
  case phase(DownloadPhase)
  /// Bytes moved.
  case progress(DownloadProgress)
  /// The choice does not fit; what of it would. The failure follows.
  case overBudget(BudgetProposal)
  /// The disk is full and the download waits for space; told once until bytes move again.
  case spaceNeeded(SpaceShortage)
  /// Something the user should be told.
  case warning(String)
  /// It was done before: the finished file is kept, for the given reason.
  case skipped(path: URL, reason: String)
}
