import SiloSystem

/// How many bytes a download may take: what the user allows and what the disk has.
public struct StorageBudget: Hashable, Sendable, Codable {
  /// The largest selection that the user allows, in bytes; `nil` without a limit.
  public var maximum: Int64?
  /// The free bytes of the disk that it goes to; `nil` when not known.
  public var free: Int64?
  /// The bytes of the disk that stay free in any case.
  public var reserve: Int64

  /// A budget of the given limits.
  public init(maximum: Int64? = nil, free: Int64? = nil, reserve: Int64 = 0) {
    self.maximum = maximum
    self.free = free
    self.reserve = reserve
  }

  /// The bytes that may still be written: free ones less the reserve, never negative.
  public var available: Int64? {
    free.map { free in
      let (rest, overflow) = free.subtractingReportingOverflow(max(0, reserve))
      return overflow ? 0 : max(0, rest)
    }
  }

  /// Lets a selection pass, or refuses it before a byte moves.
  ///
  /// A size that is not known passes: what is written is watched by the transfer.
  ///
  /// - Parameters:
  ///   - peak: The most bytes on disk at one time while it is made, see `MediaInventory.peakBytes(of:)`; `nil` takes the
  ///     selection's own.
  ///   - stored: Bytes of it that are on the disk already.
  /// - Throws: `MediaError` of code `overBudget` that names the need, the limit, and what would fit; `noSpace` where it is the
  ///   disk that has too little, which may change.
  public func admit(
    _ selection: TrackSelection, of inventory: MediaInventory, peak: Int64? = nil,
    stored: Int64 = 0
  ) throws(MediaError) {
    guard let need = selection.size.byteCount else { return }
    let about = selection.size.basis == .exact ? "" : "about "
    if let maximum, need > maximum {
      let proposal = BudgetProposal(inventory, selection: selection, limit: maximum)
      throw MediaError(
        .overBudget,
        "The selection needs \(about)\(ByteCount.text(need)), more than the \(ByteCount.text(maximum)) "
          + "allowed. \(proposal.advice)")
    }
    let most = max(0, (peak ?? need) - max(0, stored))
    if let available, most > available {
      let kept = reserve > 0 ? " (\(ByteCount.text(reserve)) stay reserved)" : ""
      throw MediaError(
        .noSpace,
        "The disk has \(ByteCount.text(available)) for this\(kept), and \(about)"
          + "\(ByteCount.text(most)) are needed while it is made. Free some, or choose another place."
      )
    }
  }
}

extension MediaInventory {
  /// The most bytes on disk at one time while a selection is made; `nil` when not known.
  ///
  /// A whole plain file needs its own size. Otherwise a plain file and the packaged one exist side by side until the latter is
  /// verified, and the segments of a presentation give back their blocks while the file is written: 1.15 times its size,
  /// but of small ones twice.
  ///
  /// - Parameter isRepackaged: Whether a whole file is packaged anew for another container.
  public func peakBytes(of selection: TrackSelection, isRepackaged: Bool = false) -> Int64? {
    guard let result = selection.size.byteCount else { return nil }
    let download: Int64?
    switch kind {
    case .file:
      if isWhole(selection), !isRepackaged { return size.byteCount ?? result }
      download = size.byteCount
    // Of few segments, the last ones that are kept are a larger part.
    case .hls: download = min(result, max(result / 20 * 3, 64 << 20))
    }
    guard let download else { return nil }
    let (sum, overflow) = download.addingReportingOverflow(result)
    return overflow ? nil : sum
  }
}
