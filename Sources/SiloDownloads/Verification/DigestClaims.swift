/// What others say of the digests of a file: what can be checked, and what cannot and why (pure).
public struct DigestClaims: Sendable, Hashable {
  /// A claim that cannot be checked: never a reason to call a file damaged.
  public struct Ignored: Sendable, Hashable, CustomStringConvertible {
    /// Who said it.
    public var origin: ExpectedDigest.Origin
    /// Why it is not checked.
    public var reason: String

    /// "the manifest: …".
    public var description: String { "\(origin): \(reason)" }
  }

  /// What can be checked, in the order in which it was found.
  public private(set) var expected: [ExpectedDigest]
  /// What cannot.
  public private(set) var ignored: [Ignored] = []

  /// The given claims.
  public init(_ expected: [ExpectedDigest] = []) { self.expected = expected }

  /// What the integrity value of a manifest says, which does not name its algorithm.
  ///
  /// 64 hexadecimal digits are a SHA-256, 16 an OSHash; anything else cannot be verified.
  public init(manifest value: String) {
    expected = []
    let text = value.lowercased()
    let algorithm: ExpectedDigest.Algorithm? =
      switch text.utf8.count {
      case ExpectedDigest.Algorithm.sha256.digitCount: .sha256
      case ExpectedDigest.Algorithm.oshash.digitCount: .oshash
      default: nil
      }
    if let algorithm, ExpectedDigest.isHexadecimal(text) {
      add(ExpectedDigest(algorithm, hexadecimal: text, origin: .manifest))
    } else {
      ignore(.manifest, "its hash is of a kind that is not known, so it is not verifiable")
    }
  }

  /// One more claim.
  public mutating func add(_ digest: ExpectedDigest) { expected.append(digest) }

  /// One more claim that cannot be checked.
  mutating func ignore(_ origin: ExpectedDigest.Origin, _ reason: String) {
    ignored.append(Ignored(origin: origin, reason: reason))
  }

  /// The claims of both.
  public static func + (a: DigestClaims, b: DigestClaims) -> DigestClaims {
    var sum = a
    sum.expected += b.expected
    sum.ignored += b.ignored
    return sum
  }

  /// What is checked: the user's word in any case, and the strongest of the others when it is stronger than that.
  ///
  /// One that is not binding is taken only where there is no other.
  public var deciding: [ExpectedDigest] {
    let asked = Self.strongest(expected.filter { $0.origin == .request })
    let others = expected.filter { $0.origin != .request }
    guard let other = Self.strongest(others.filter(\.isBinding)) ?? Self.strongest(others) else {
      return asked.map { [$0] } ?? []
    }
    guard let asked else { return [other] }
    return other.isBinding && other.algorithm > asked.algorithm ? [asked, other] : [asked]
  }

  /// The first of the strongest.
  private static func strongest(_ digests: [ExpectedDigest]) -> ExpectedDigest? {
    let best = digests.map(\.algorithm).max()
    return digests.first { $0.algorithm == best }
  }
}
