/// The version of the program.
enum Version {
  /// The number alone.
  static let number = "0.1.0"
  /// What `--version` prints.
  static let line = "silo-fetch \(number)"
}
