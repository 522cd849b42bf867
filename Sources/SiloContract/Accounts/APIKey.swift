/// `POST /api-keys`: a key that never ends by itself.
package struct APIKeyRequest: Codable, Hashable, Sendable {
  /// What the owner calls it.
  package var label: String?
  /// The same at servers that are older than the label.
  package var name: String?

  private enum CodingKeys: String, CodingKey { case label, name }

  /// A key called `label`.
  package init(label: String?) { self.label = label }
}

/// A key of an account; the secret itself is told once, when it is made.
///
/// `GET /api-keys` answers a bare list of them.
package struct APIKey: Codable, Hashable, Sendable {
  /// The number, to end it by.
  package var id: Int64
  /// Whose it is.
  package var userID: AccountID?
  /// What the owner calls it.
  @Always package var label: String?
  /// The secret, `sa_…`.
  package var key: String?
  /// How much it may ask: `standard`, `elevated`.
  package var rateTier: String?
  /// When it was made.
  package var createdAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case id, label, key
    case userID = "user_id"
    case rateTier = "rate_tier"
    case createdAt = "created_at"
  }

  /// A key.
  package init(id: Int64, of user: AccountID, label: String?, key: String?, createdAt: Timestamp) {
    self.id = id
    userID = user
    self.label = label
    self.key = key
    rateTier = "standard"
    self.createdAt = createdAt
  }
}
