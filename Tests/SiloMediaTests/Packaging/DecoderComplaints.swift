import SiloTestSupport

extension Probe {
  /// What decoders alone complained of: the judge's own output rounds times that start between two pictures.
  static func decoderComplaints(_ path: String) async throws -> [Substring] {
    try await complaints(path).split(separator: "\n").filter {
      !$0.contains("null @") && !$0.contains("Last message") && !$0.allSatisfy(\.isWhitespace)
    }
  }
}
