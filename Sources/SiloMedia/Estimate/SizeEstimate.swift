/// A number of bytes, and what it rests on.
public struct SizeEstimate: Hashable, Sendable, Codable {
  /// What a number of bytes rests on, from sure to guessed.
  public enum Basis: String, Hashable, Sendable, Codable, Comparable {
    /// The container or server says so, byte for byte.
    case exact
    /// Extrapolated from packets that were looked at; within 10 %.
    case measured
    /// From bit rates that the source declares; within 40 %.
    case declared
    /// From what such tracks usually need.
    case assumed

    /// Surer first.
    public static func < (a: Basis, b: Basis) -> Bool { a.doubt < b.doubt }

    private var doubt: Int {
      switch self {
      case .exact: 0
      case .measured: 1
      case .declared: 2
      case .assumed: 3
      }
    }
  }

  /// The number, or `nil` when it is not known; never 0 for that.
  public var byteCount: Int64?
  /// What the number rests on.
  public var basis: Basis

  /// Nothing is known.
  public static let unknown = SizeEstimate(byteCount: nil, basis: .assumed)

  /// `byteCount` bytes, resting on `basis`.
  public init(byteCount: Int64?, basis: Basis) {
    self.byteCount = byteCount
    self.basis = basis
  }

  /// The sum, as unsure as the less sure side; unknown when either side is.
  public static func + (a: SizeEstimate, b: SizeEstimate) -> SizeEstimate {
    guard let x = a.byteCount, let y = b.byteCount else { return .unknown }
    let (sum, overflow) = x.addingReportingOverflow(y)
    return overflow ? .unknown : SizeEstimate(byteCount: sum, basis: max(a.basis, b.basis))
  }
}
