import SiloMedia

/// What a look into a file on the web told, and which version of the file it was.
///
/// A rerun of a download that was interrupted asks for a few bytes, and looks again only into another version.
struct SourceLook: Hashable, Sendable {
  /// What the rerun asks for: enough for an answer that tells the version.
  static let proofByteCount: Int64 = 1 << 10

  /// What tells the version.
  let validators: HTTPValidators
  /// What is inside.
  let inventory: MediaInventory

  /// What was found in the file whose first answer was `head`.
  ///
  /// - Returns: `nil` when nothing will tell whether it is still the same, or there is nothing in it.
  init?(_ inventory: MediaInventory, by head: HTTPResponseHead) {
    let validators = head.validators
    guard head.status == 206, validators.totalByteCount != nil, validators.ifRange != nil,
      !(inventory.video.isEmpty && inventory.audio.isEmpty && inventory.subtitles.isEmpty)
    else { return nil }
    (self.validators, self.inventory) = (validators, inventory)
  }

  /// What was noted by a run before.
  init(noted inventory: MediaInventory, of validators: HTTPValidators) {
    (self.validators, self.inventory) = (validators, inventory)
  }

  /// Whether `head`, of an answer to a request for the first bytes, proves that the file is still the one that was looked into.
  func holds(for head: HTTPResponseHead) -> Bool {
    let theirs = head.validators
    return head.status == 206 && head.bodyOffset == 0 && theirs.totalByteCount != nil
      && theirs.totalByteCount == validators.totalByteCount && validators.isSameVersion(as: theirs)
  }
}
