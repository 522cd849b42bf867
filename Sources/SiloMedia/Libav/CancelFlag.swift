import Synchronization

/// Asks the libav call that is running on another thread to stop.
package final class CancelFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  /// A flag that is not raised.
  package init() {}

  /// Whether somebody asked to stop.
  package var isRaised: Bool { raised.load(ordering: .relaxed) }

  /// Asks to stop; cannot be undone.
  package func raise() { raised.store(true, ordering: .relaxed) }
}
