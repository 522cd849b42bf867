/// Wakes one thread that waits for something another thread brings.
///
/// A ring before the wait is not lost: whoever waits looks first whether what it waits for is there, and again after each ring.
package final class Doorbell: Sendable {
  private let event: OwnedDescriptor

  /// - Throws: `SystemCallError` when the system has no descriptor left.
  package init() throws { event = try OwnedDescriptor.event() }

  /// Ends the wait that is going on, or else the next one.
  package func ring() { event.raise() }

  /// Blocks the thread until it rings; one thread at a time.
  package func wait() {
    event.waitUntilReadable()
    event.drain()
  }
}
