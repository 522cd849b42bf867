package import struct Foundation.Date

/// The sign-in at one server: what lies in the credentials file, and nowhere else.
package struct SiloAccount: Codable, Hashable, Sendable {
  /// What proves who asks.
  package enum Credential: Codable, Hashable, Sendable {
    /// A key that never ends by itself.
    case key(String)
    /// A token that ends soon, and what is given for the next two.
    case tokens(access: String, refresh: String?)

    /// What is sent with every request.
    var bearer: String {
      switch self {
      case .key(let key): key
      case .tokens(let access, _): access
      }
    }
  }

  /// A person of the household.
  package struct Person: Codable, Hashable, Sendable {
    /// The id of the profile.
    package var id: String
    /// Its name.
    package var name: String
    /// What a right PIN brought.
    package var token: String?

    /// A person.
    package init(id: String, name: String, token: String? = nil) {
      (self.id, self.name, self.token) = (id, name, token)
    }
  }

  /// The address of the server.
  package var url: String
  /// The account's name; `nil` when the server did not say.
  package var username: String?
  /// Who watches; `nil` where the server knows nobody.
  package var profile: Person?
  /// What proves it.
  package var credential: Credential
  /// This installation, the same for as long as the file is there.
  package var deviceID: String
  /// What a person calls it.
  package var deviceName: String
  /// When this was signed in.
  package var signedInAt: Date

  /// A sign-in.
  package init(
    url: String, username: String?, profile: Person?, credential: Credential, deviceID: String,
    deviceName: String, signedInAt: Date
  ) {
    self.url = url
    self.username = username
    self.profile = profile
    self.credential = credential
    self.deviceID = deviceID
    self.deviceName = deviceName
    self.signedInAt = signedInAt
  }

  /// Server, account and profile as one text: whose rows, items and files these are; `nil` without a profile.
  package var owner: String? {
    profile.map { "\(url)\n\(username ?? "")\n\($0.id)" }
  }

  /// The fields that every request carries beside the credential (spec, section 2).
  ///
  /// A device goes with a profile only: the server refuses one without the other.
  var headers: [HTTPHeader] {
    guard let profile else { return [] }
    var headers = [
      HTTPHeader("X-Profile-Id", profile.id), HTTPHeader("X-Silo-Device-Id", deviceID),
      HTTPHeader("X-Silo-Device-Name", deviceName), HTTPHeader("X-Silo-Device-Platform", "linux"),
    ]
    if let token = profile.token { headers.append(HTTPHeader("X-Profile-Token", token)) }
    return headers
  }
}
