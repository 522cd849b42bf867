import SiloSystem

extension StorageBudget {
  /// Refuses a selection of unknown size under a maximum, unless all of the source is within it.
  ///
  /// - Throws: `MediaError.overBudget`.
  package func requireSize(
    of selection: TrackSelection, in inventory: MediaInventory, subject: String? = nil
  ) throws(MediaError) {
    guard let maximum, selection.size.byteCount == nil else { return }
    // What is chosen of a file is at most the file.
    if let whole = inventory.size.byteCount, whole <= maximum { return }
    throw MediaError(
      .overBudget,
      "The size of the chosen tracks is not known, so nobody can say whether \(ByteCount.text(maximum)) are enough. Leave --max-size out to fetch it all the same.",
      subject: subject)
  }
}
