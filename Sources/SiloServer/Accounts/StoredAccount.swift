import SiloContract
import SiloStore

/// An account as the server keeps it.
struct StoredAccount: Sendable, Hashable {
  /// The number.
  var id: Int64
  /// The name, as it was given.
  var name: String
  /// `admin` or `user`.
  var role: String
  /// The password; `nil` when none was set, so that none is right.
  var password: PasswordHash?

  static let columns = "id, name, role, password"

  init?(_ row: [StoreValue]) {
    guard row.count >= 4, case .integer(let id) = row[0], case .text(let name) = row[1],
      case .text(let role) = row[2]
    else { return nil }
    (self.id, self.name, self.role) = (id, name, role)
    if case .text(let text) = row[3] { password = PasswordHash(text: text) }
  }

  /// The account with the name, in whatever case.
  static func named(_ name: String, in connection: borrowing Connection) throws -> StoredAccount? {
    try connection.rows("SELECT \(columns) FROM account WHERE name = ?", [.text(name)]).first
      .flatMap(StoredAccount.init)
  }

  /// The account with the number.
  static func numbered(_ id: Int64, in connection: borrowing Connection) throws -> StoredAccount? {
    try connection.rows("SELECT \(columns) FROM account WHERE id = ?", [.integer(id)]).first
      .flatMap(StoredAccount.init)
  }
}

/// A profile as the server keeps it.
struct StoredProfile: Sendable, Hashable {
  /// The id.
  var id: String
  /// The name.
  var name: String
  /// The PIN; `nil` when none is asked for.
  var pin: PasswordHash?
  /// Whether it is the account's first.
  var isPrimary: Bool
  /// The highest quality that it may have; `nil` for every one.
  var maximumQuality: String?
  /// When it was made.
  var createdAt: Int64

  static let columns = "id, name, pin, is_primary, max_quality, created_at"

  init?(_ row: [StoreValue]) {
    guard row.count >= 6, case .text(let id) = row[0], case .text(let name) = row[1],
      case .integer(let isPrimary) = row[3], case .integer(let createdAt) = row[5]
    else { return nil }
    (self.id, self.name) = (id, name)
    (self.isPrimary, self.createdAt) = (isPrimary != 0, createdAt)
    if case .text(let text) = row[2] { pin = PasswordHash(text: text) }
    if case .text(let text) = row[4] { maximumQuality = text }
  }

  /// The profile of an account.
  static func of(
    _ account: Int64, id: String, in connection: borrowing Connection
  ) throws -> StoredProfile? {
    try connection.rows(
      "SELECT \(columns) FROM profile WHERE account_id = ? AND id = ?",
      [.integer(account), .text(id)]
    ).first.flatMap(StoredProfile.init)
  }

  /// As the contract has it.
  var profile: Profile {
    var profile = Profile(
      id: id, name: name, hasPIN: pin != nil, isPrimary: isPrimary,
      createdAt: Timestamp(seconds: createdAt))
    profile.maximumPlaybackQuality = maximumQuality
    return profile
  }
}
