/// `POST /auth/login`.
package struct LoginRequest: Codable, Hashable, Sendable {
  /// The account's name.
  package var username: String
  /// Its password.
  package var password: String

  private enum CodingKeys: String, CodingKey { case username, password }

  /// Signs `username` in.
  package init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}

/// `POST /auth/refresh`, and `/auth/logout`, where it may be left out.
package struct RefreshRequest: Codable, Hashable, Sendable {
  /// The token that is given for a new one.
  package var refreshToken: String

  private enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }

  /// Gives `refreshToken` for new tokens.
  package init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// What a sign-in or a refresh brings.
package struct Tokens: Codable, Hashable, Sendable {
  /// Sent with every request.
  package var accessToken: String
  /// Given for new ones, once; `nil` when the server gave none.
  package var refreshToken: String?
  /// How long the access token holds, in seconds.
  package var expiresInSeconds: Int?
  /// Whose they are; not told by a refresh.
  package var user: Account?

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresInSeconds = "expires_in"
    case user
  }

  /// Tokens.
  package init(accessToken: String, refreshToken: String, expiresInSeconds: Int, user: Account?) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresInSeconds = expiresInSeconds
    self.user = user
  }
}

/// `GET /auth/me`: an account as its owner sees it.
package struct Account: Codable, Hashable, Sendable {
  /// The id.
  package var id: AccountID
  /// The name.
  package var username: String
  /// The address; `nil` when there is none.
  package var email: String?
  /// `admin` or `user`.
  package var role: String?
  /// What it may do, in the server's words.
  package var permissions: [String]?
  /// Whether it may download.
  package var isDownloadAllowed: Bool?

  private enum CodingKeys: String, CodingKey {
    case id, username, email, role, permissions
    case isDownloadAllowed = "download_allowed"
  }

  /// An account that may download.
  package init(id: AccountID, username: String, role: String) {
    self.id = id
    self.username = username
    self.role = role
    permissions = []
    isDownloadAllowed = true
  }
}

/// The id of an account: a number at some servers, text at others.
package struct AccountID: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  package let text: String
  private let isNumber: Bool

  /// The account with the number.
  package init(_ number: Int64) {
    text = String(number)
    isNumber = true
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let number = try? container.decode(Int64.self)
    isNumber = number != nil
    text = try number.map(String.init) ?? container.decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isNumber, let number = Int64(text) {
      try container.encode(number)
    } else {
      try container.encode(text)
    }
  }

  /// The id.
  package var description: String { text }
}
