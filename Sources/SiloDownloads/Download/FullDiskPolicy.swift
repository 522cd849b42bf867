/// What a download does when the disk is full in the middle of it; what arrived is kept in any case.
public enum FullDiskPolicy: Sendable, Hashable {
  /// It fails with `space`; a later run continues.
  case fail
  /// It waits until there is space again, and goes on; cancelling ends the wait.
  ///
  /// After `atMost` without progress it fails with `space`; `nil` waits for ever.
  case wait(atMost: Duration?)
}

/// The room that a download waits for.
public struct SpaceShortage: Sendable, Hashable {
  /// The bytes that it still needs; `nil` when nobody knows.
  public var neededByteCount: Int64?
  /// The bytes that it may take now: free ones, less those that other running downloads need; `nil` when the disk does not tell.
  public var availableByteCount: Int64?
  /// What is full, in one sentence: the disk, the user's quota, the number of files.
  public var message: String

  /// A shortage of the given parts.
  public init(neededByteCount: Int64?, availableByteCount: Int64?, message: String) {
    self.neededByteCount = neededByteCount
    self.availableByteCount = availableByteCount
    self.message = message
  }
}
