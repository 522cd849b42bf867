package import SiloSystem

extension MediaInventory {
  /// Looks into `source`: its tracks with languages, roles and bytes, its chapters, its length.
  ///
  /// Runs on a thread of its own. A source behind a network is asked a handful of times for its headers. Throws
  /// `MediaError`: `.unsupported` for what is no media, `.encrypted` for DRM, `.corrupt` for what is cut before its
  /// index; what the source throws passes unchanged, `CancellationError` too.
  public static func probe(_ source: MediaSource, options: ProbeOptions = ProbeOptions())
    async throws -> MediaInventory
  {
    try await onOwnThread(named: "probe") { cancel in
      try MediaProbe(source, options: options, cancel: cancel).inventory()
    }
  }

  /// The same on the thread of the caller, which it blocks.
  package static func probeBlocking(
    _ source: MediaSource, options: ProbeOptions = ProbeOptions(),
    cancel: CancellationFlag = CancellationFlag()
  ) throws -> MediaInventory {
    try MediaProbe(source, options: options, cancel: cancel).inventory()
  }
}
