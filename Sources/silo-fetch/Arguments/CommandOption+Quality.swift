extension CommandOption {
  /// Which form of an item of a server.
  static let quality: [CommandOption] = [
    CommandOption(
      name: "quality", kind: .value("PRESET"),
      help: "of a Silo server: original (default), 20mbps, 10mbps, 5mbps, 2mbps or 1mbps",
      discussion: """
        Everything but the original is a file that the server prepares, and that keeps one audio track.
        """, section: .tracks,
      completion: .words(["original", "20mbps", "10mbps", "5mbps", "2mbps", "1mbps"]))
  ]
}
