import SiloSystem

/// A password as it is kept: `scrypt$COST$SALT$KEY`, salt and key in hexadecimal digits.
struct PasswordHash: Sendable, Hashable {
  /// The text in the database.
  let text: String

  /// What a hash made now costs: 32 MiB and about a tenth of a second.
  static let cost: UInt64 = 1 << 15

  /// What is checked when there is no such account, so that it takes as long.
  static let ofNobody = PasswordHash(
    text: "scrypt$\(cost)$00000000000000000000000000000000$"
      + String(repeating: "0", count: 64))

  init(text: String) { self.text = text }

  /// Makes the hash of `password`; slow, so never on the shared pool.
  init(of password: String, cost: UInt64 = PasswordHash.cost) throws {
    let salt = Secret.bytes(16)
    let key = try Scrypt.key(of: Array(password.utf8), salt: salt, cost: cost)
    text = "scrypt$\(cost)$\(Digest.hex(salt))$\(Digest.hex(key))"
  }

  /// Whether `password` is the one; slow, and as slow when it is not.
  func matches(_ password: String) throws -> Bool {
    let parts = text.split(separator: "$")
    guard parts.count == 4, parts[0] == "scrypt", let cost = UInt64(parts[1]), cost <= 1 << 17,
      let salt = Self.bytes(parts[2]), let key = Self.bytes(parts[3])
    else { return false }
    let found = try Scrypt.key(of: Array(password.utf8), salt: salt, cost: cost)
    return Scrypt.areEqual(found, key)
  }

  private static func bytes(_ digits: Substring) -> [UInt8]? {
    let digits = Array(digits)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

/// Where passwords are worked on: one at a time, so that a crowd costs neither the memory nor the processors.
actor PasswordDesk {
  private nonisolated let executor: BlockingExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init() throws { executor = try BlockingExecutor(named: "passwords") }

  /// Whether `password` is that of `hash`; as slow without one.
  func check(_ password: String, against hash: PasswordHash?) throws -> Bool {
    let matches = try (hash ?? .ofNobody).matches(password)
    return hash != nil && matches
  }

  /// The hash of a new password.
  func hash(_ password: String) throws -> PasswordHash { try PasswordHash(of: password) }
}
