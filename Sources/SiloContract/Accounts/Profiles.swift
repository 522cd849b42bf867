/// One person of a household.
package struct Profile: Codable, Hashable, Sendable {
  /// The id.
  package var id: String
  /// The name.
  package var name: String
  /// Whether a PIN is asked for.
  package var hasPIN: Bool?
  /// Whether it is a child's.
  package var isChild: Bool?
  /// Whether it is the account's first.
  package var isPrimary: Bool?
  /// Whether a player goes on behind the opening titles by itself.
  package var skipsIntro: Bool?
  /// Whether it goes on behind the closing titles.
  package var skipsCredits: Bool?
  /// Whether it goes on behind what was shown before.
  package var skipsRecap: Bool?
  /// Whether it goes on to the preview of the next episode.
  package var playsNextPreview: Bool?
  /// Whether forced subtitles are shown.
  package var showsForcedSubtitles: Bool?
  /// Whether it may see some libraries only.
  package var hasLibraryRestrictions: Bool?
  /// The language of audio that is wanted.
  package var language: String?
  /// The language of subtitles that is wanted.
  package var subtitleLanguage: String?
  /// The highest quality that may be played; `nil` (sent as "") for every one.
  @Always package var maximumPlaybackQuality: String?
  /// The libraries that may be seen; empty for all.
  package var allowedLibraryIDs: [Int64]
  /// When it was made.
  package var createdAt: Timestamp?
  /// When it was last changed.
  package var updatedAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case id, name
    case hasPIN = "has_pin"
    case isChild = "is_child"
    case isPrimary = "is_primary"
    case skipsIntro = "auto_skip_intro"
    case skipsCredits = "auto_skip_credits"
    case skipsRecap = "auto_skip_recap"
    case playsNextPreview = "auto_play_next_preview"
    case showsForcedSubtitles = "show_forced_subtitles"
    case hasLibraryRestrictions = "library_restrictions_enabled"
    case language
    case subtitleLanguage = "subtitle_language"
    case maximumPlaybackQuality = "max_playback_quality"
    case allowedLibraryIDs = "allowed_library_ids"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }

  /// A profile.
  package init(id: String, name: String, hasPIN: Bool, isPrimary: Bool, createdAt: Timestamp) {
    self.id = id
    self.name = name
    self.hasPIN = hasPIN
    self.isPrimary = isPrimary
    isChild = false
    (skipsIntro, skipsCredits, skipsRecap, playsNextPreview) = (false, false, false, false)
    (showsForcedSubtitles, hasLibraryRestrictions) = (true, false)
    maximumPlaybackQuality = nil
    allowedLibraryIDs = []
    (self.createdAt, updatedAt) = (createdAt, createdAt)
  }
}

/// `GET /profiles`.
package struct ProfileList: Codable, Hashable, Sendable {
  /// The profiles.
  package var profiles: [Profile]
  /// Whether pictures of people can be sent.
  package var takesAvatars: Bool?

  private enum CodingKeys: String, CodingKey {
    case profiles
    case takesAvatars = "avatar_upload_enabled"
  }

  /// A list of profiles.
  package init(_ profiles: [Profile]) {
    self.profiles = profiles
    takesAvatars = false
  }
}

/// `POST /profiles`.
package struct ProfileRequest: Codable, Hashable, Sendable {
  /// The name.
  package var name: String
  /// The PIN; `nil` for none.
  package var pin: String?
  /// The highest quality that may be played.
  package var maximumPlaybackQuality: String?

  private enum CodingKeys: String, CodingKey {
    case name, pin
    case maximumPlaybackQuality = "max_playback_quality"
  }

  /// A profile called `name`.
  package init(name: String, pin: String? = nil) {
    self.name = name
    self.pin = pin
  }

  /// A PIN of another type is refused: taken for none, it would leave a profile open that was to be locked.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.exactly(String.self, forKey: .name) ?? ""
    pin = try container.exactly(String.self, forKey: .pin)
    maximumPlaybackQuality = try container.exactly(String.self, forKey: .maximumPlaybackQuality)
  }
}

/// `POST /profiles/{id}/verify-pin`.
package struct PINRequest: Codable, Hashable, Sendable {
  /// The PIN.
  package var pin: String

  private enum CodingKeys: String, CodingKey { case pin }

  /// Tries `pin`.
  package init(pin: String) { self.pin = pin }
}

/// Whether a PIN was right, and what proves it from then on.
package struct PINCheck: Codable, Hashable, Sendable {
  /// Whether it was right.
  package var isValid: Bool
  /// Sent as `X-Profile-Token` from then on.
  package var profileToken: String?
  /// When the token ends.
  package var expiresAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case isValid = "valid"
    case profileToken = "profile_token"
    case expiresAt = "expires_at"
  }

  /// An answer.
  package init(isValid: Bool, profileToken: String? = nil, expiresAt: Timestamp? = nil) {
    self.isValid = isValid
    self.profileToken = profileToken
    self.expiresAt = expiresAt
  }
}
