import SiloDownloads

/// The code that reading arguments, looking and choosing needed, and a transfer hardly does.
enum TextOfTheLook {
  /// Lets go of it when bytes begin to arrive, so that it does not add to what the transfer and the check at its end need.
  ///
  /// Not in a debug build, for the sake of breakpoints.
  static func letGo(at event: DownloadEvent) {
    #if !DEBUG
      if case .phase(.transferring) = event { ProgramText.letGo() }
    #endif
  }
}
