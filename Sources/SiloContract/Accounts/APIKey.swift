/// `POST /api-keys`: a key that never ends by itself.
package struct APIKeyRequest: Codable, Hashable, Sendable {
  /// What the owner calls it.
  package var name: String?

  private enum CodingKeys: String, CodingKey { case name }

  /// A key called `name`.
  package init(name: String?) { self.name = name }
}

/// A key of an account; the secret itself is told once, when it is made.
package struct APIKey: Codable, Hashable, Sendable {
  /// The id, to revoke it by.
  package var id: String
  /// What the owner calls it.
  package var name: String?
  /// The secret, `sa_…`.
  package var key: String?
  /// When it was made.
  package var createdAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case id, name, key
    case createdAt = "created_at"
  }

  /// A key.
  package init(id: String, name: String?, key: String?, createdAt: Timestamp) {
    self.id = id
    self.name = name
    self.key = key
    self.createdAt = createdAt
  }
}

/// `GET /api-keys`.
package struct APIKeyList: Codable, Hashable, Sendable {
  /// The keys, without their secrets.
  package var keys: [APIKey]

  private enum CodingKeys: String, CodingKey { case keys = "api_keys" }

  /// A list of keys.
  package init(_ keys: [APIKey]) { self.keys = keys }
}
