import SiloSystem

/// Walks a media file to its end: what probes fine is not always whole.
///
/// MP4: every box, every sample's place, and the first bytes of every chunk. Matroska: every element and the header of
/// every block up to the last. MPEG-TS: the packet sync in every 64 KiB. Everything else: every packet through
/// libavformat. Found: cut files, files padded with zeros or with holes longer than a chunk, a block or 64 KiB. Not found:
/// changed bits inside of packets, which only a digest tells.
public enum StructureCheck {
  /// The faults of `source`, none when it is whole; with `expecting`, also what differs from that inventory.
  ///
  /// - Parameter found: What was just found in these bytes, by whoever looked already; `nil` looks first.
  ///
  /// Reads a small part of MP4 and Matroska files and all of some others, on a thread of its own. Throws what the source
  /// throws, `MediaError.encrypted`, and `CancellationError`; media that cannot be read at all is a fault.
  public static func check(
    _ source: MediaSource, expecting: MediaInventory? = nil, found: MediaInventory? = nil
  ) async throws -> [MediaFault] {
    try await onOwnThread(named: "check") { cancel in
      try checkBlocking(source, expecting: expecting, found: found, cancel: cancel)
    }
  }

  /// What `found` has against `promised`: tracks, length in bytes and in time, with the tolerance of all checks.
  public static func differences(
    of found: MediaInventory, from promised: MediaInventory
  ) -> [MediaFault] {
    InventoryDifference.faults(of: found, expecting: promised)
  }

  /// The same on the thread of the caller, which it blocks.
  static func checkBlocking(
    _ source: MediaSource, expecting: MediaInventory? = nil, found: MediaInventory? = nil,
    cancel: CancellationFlag
  ) throws -> [MediaFault] {
    let inventory: MediaInventory
    do {
      inventory =
        try found
        ?? MediaProbe(source, options: ProbeOptions(readsFreely: true), cancel: cancel).inventory()
    } catch let error as MediaError
      where [.corrupt, .unsupported].contains(error.code) || error.cause is LibavError
    {
      return [MediaFault(error.code == .corrupt ? .cut : .damaged, error.message)]
    }
    let window = ByteWindow(source.bytes, cancel: cancel)
    var faults: [MediaFault]
    switch inventory.container {
    case "mp4", "mov": faults = try MP4Check(window).faults()
    case "mkv", "webm": faults = try MatroskaCheck(window).faults()
    case "mpegts": faults = try TransportStreamCheck(window).faults()
    default: faults = try PacketCheck(source, window, inventory, cancel: cancel).faults()
    }
    if let expecting { faults += InventoryDifference.faults(of: inventory, expecting: expecting) }
    return faults
  }
}
