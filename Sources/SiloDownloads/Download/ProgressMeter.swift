import SiloSystem
import Synchronization

/// Passes on how far a transfer is, with rate and time left; a total below what was announced before is not believed.
final class ProgressMeter: Sendable {
  private let meter: Mutex<TransferMeter>
  private let events: @Sendable (DownloadEvent) -> Void

  /// A meter that tells `events`.
  init(total: Int64?, events: @escaping @Sendable (DownloadEvent) -> Void) {
    meter = Mutex(TransferMeter(total: total))
    self.events = events
  }

  /// `bytes` of `total` are on disk.
  func report(bytes: Int64, total: Int64?) {
    let progress = meter.withLock {
      $0.progress(bytes: bytes, total: total, at: Waiting.system.now())
    }
    events(.progress(progress))
  }
}
