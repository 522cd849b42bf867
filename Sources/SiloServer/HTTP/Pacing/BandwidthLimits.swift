/// How many bytes a second a server sends at most.
package struct BandwidthLimits: Sendable, Hashable {
  /// To all clients together; `nil` for any number.
  package var bytesPerSecond: Int64?
  /// To one account, over all its connections; `nil` for any number.
  ///
  /// Whoever is not signed in, as for files and HLS, is one account together.
  package var bytesPerSecondOfUser: Int64?

  /// No limits.
  package init() {}

  /// Whether nothing is limited.
  var areNone: Bool { bytesPerSecond == nil && bytesPerSecondOfUser == nil }
}
