/// `POST /auth/device/start`.
package struct DeviceCodeRequest: Codable, Hashable, Sendable {
  /// What the person is shown.
  package var deviceName: String?
  /// `linux`.
  package var devicePlatform: String?

  private enum CodingKeys: String, CodingKey {
    case deviceName = "device_name"
    case devicePlatform = "device_platform"
  }

  /// A device by its name.
  package init(deviceName: String?, devicePlatform: String?) {
    self.deviceName = deviceName
    self.devicePlatform = devicePlatform
  }
}

/// A code that a person types elsewhere to let this device in.
package struct DeviceCode: Codable, Hashable, Sendable {
  /// The secret that the device polls with.
  package var deviceCode: String
  /// What the person types.
  package var userCode: String
  /// What the person compares, on both screens.
  package var matchCode: String?
  /// Where it is typed.
  package var verificationURL: String?
  /// The same with the code in it.
  package var completeURL: String?
  /// When it ends.
  package var expiresAt: Timestamp?
  /// How long it holds, in seconds.
  package var expiresInSeconds: Int?
  /// How long to wait between two polls, in seconds.
  package var intervalSeconds: Int?

  private enum CodingKeys: String, CodingKey {
    case deviceCode = "device_code"
    case userCode = "user_code"
    case matchCode = "match_code"
    case verificationURL = "verification_uri"
    case completeURL = "verification_uri_complete"
    case expiresAt = "expires_at"
    case expiresInSeconds = "expires_in"
    case intervalSeconds = "interval"
  }

  /// A code.
  package init(deviceCode: String, userCode: String) {
    self.deviceCode = deviceCode
    self.userCode = userCode
  }
}

/// `POST /auth/device/poll`.
package struct DevicePollRequest: Codable, Hashable, Sendable {
  /// The secret of the device.
  package var deviceCode: String

  private enum CodingKeys: String, CodingKey { case deviceCode = "device_code" }

  /// Asks whether `deviceCode` was let in.
  package init(deviceCode: String) { self.deviceCode = deviceCode }
}

/// `POST /auth/device/approve` and `/auth/device/deny`: a person who is signed in lets a device in, or not.
package struct DeviceDecision: Codable, Hashable, Sendable {
  /// What the device shows.
  package var code: String?
  /// The same, by the name that the device has for it.
  package var userCode: String?

  private enum CodingKeys: String, CodingKey {
    case code
    case userCode = "user_code"
  }

  /// About the device that shows `code`.
  package init(code: String) { self.code = code }
}

/// What a poll answers.
package struct DevicePoll: Codable, Hashable, Sendable {
  /// `pending`, `approved`, `denied`; open.
  package struct Status: OpenName {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Nobody has typed the code yet.
    package static let pending = Status(rawValue: "pending")
    /// The tokens are here.
    package static let approved = Status(rawValue: "approved")
    /// Somebody said no.
    package static let denied = Status(rawValue: "denied")
    /// Nobody decided in time.
    package static let expired = Status(rawValue: "expired")
    /// The tokens were fetched already.
    package static let consumed = Status(rawValue: "consumed")
  }

  /// Where it stands.
  package var status: Status
  /// How long to wait before the next poll, in seconds.
  package var pollAfterSeconds: Int?
  /// Once it was approved.
  package var accessToken: String?
  /// Once it was approved.
  package var refreshToken: String?
  /// How long the access token holds, in seconds.
  package var expiresInSeconds: Int?
  /// Whose tokens they are.
  package var user: Account?

  private enum CodingKeys: String, CodingKey {
    case status
    case pollAfterSeconds = "poll_after"
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresInSeconds = "expires_in"
    case user
  }

  /// Not let in yet, or never.
  package init(_ status: Status, pollAfterSeconds: Int? = nil) {
    self.status = status
    self.pollAfterSeconds = pollAfterSeconds
  }

  /// Let in.
  package init(_ tokens: Tokens) {
    status = .approved
    accessToken = tokens.accessToken
    refreshToken = tokens.refreshToken
    expiresInSeconds = tokens.expiresInSeconds
    user = tokens.user
  }

  /// The tokens, once there are some.
  package var tokens: Tokens? {
    guard let accessToken else { return nil }
    var tokens = Tokens(accessToken: accessToken, refreshToken: "", expiresInSeconds: 0, user: user)
    tokens.refreshToken = refreshToken
    tokens.expiresInSeconds = expiresInSeconds
    return tokens
  }
}
