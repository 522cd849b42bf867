extension Duration {
  /// As a number of seconds, for arithmetic and messages.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
