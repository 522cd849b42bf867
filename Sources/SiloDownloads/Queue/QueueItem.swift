import SiloMedia
import SiloSystem

/// One item of the queue, with one identity from the first wish to the finished file.
public struct QueueItem: Sendable, Identifiable {
  /// The identity: the `id` of the events, and what every command takes.
  public let id: String
  /// The source as it may be shown.
  public var source: String
  /// What it is called: the name of its file without the suffix, or what the source calls itself.
  public var title: String
  /// Where it stands.
  public var state: ItemState
  /// How often a worker took it.
  public var attempt: Int
  /// Bytes that arrived; never goes backwards.
  public var byteCount: Int64
  /// Bytes expected in all; `nil` when not known.
  public var expectedByteCount: Int64?
  /// The finished file, or where it will be; `nil` while nobody knows.
  public var path: String?
  /// Why it failed last; `nil` when it did not.
  public var failure: QueueFailure?
  /// What has to be given again before it can run, one phrase each.
  public var needs: [String] = []
  /// Whether a run that is told which item it is can be given all that the item needs.
  public var canBeGivenNeeds: Bool { !needs.contains(ItemWish.addressNeed) }
  /// Whether its row cannot be read: it is shown, can be removed, and stops nobody.
  public var isDamaged = false
  /// Whether it was removed from the list of the queue when it was finished.
  var isListed = true
  var wish: ItemWish?
  /// The server, account and profile that it is of; `nil` of an item of no server.
  package var owner: String?
  /// The moment before which it is left alone, in milliseconds since 1970.
  var notBefore: Int64?
  /// Failures in a row.
  var failureCount = 0
  var number: Int64
}

/// Why an item failed, as its row keeps it.
public struct QueueFailure: Sendable, Hashable {
  /// The class, as in `failed.code`.
  public var code: DownloadError.Code
  /// What happened and what to do.
  public var message: String
  /// Whether trying again later may help.
  public var isWorthRetrying: Bool

  /// A failure of the given parts.
  public init(_ code: DownloadError.Code, _ message: String, isWorthRetrying: Bool) {
    self.code = code
    self.message = message
    self.isWorthRetrying = isWorthRetrying
  }
}
