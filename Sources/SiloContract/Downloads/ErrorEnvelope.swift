/// The body of every refusal; the code counts, the message is for people.
package struct ErrorEnvelope: Codable, Hashable, Sendable {
  /// The code.
  package var error: ErrorCode
  /// What the server says to it.
  package var message: String?

  private enum CodingKeys: String, CodingKey { case error, message }

  /// A refusal.
  package init(_ error: ErrorCode, _ message: String) {
    self.error = error
    self.message = message
  }
}

/// The code of a refusal (spec, section 12; facts, 1.2); open.
package struct ErrorCode: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let badRequest = ErrorCode(rawValue: "bad_request")
  package static let deviceRequired = ErrorCode(rawValue: "device_id_required")
  package static let profileRequired = ErrorCode(rawValue: "profile_required")
  package static let invalidStatus = ErrorCode(rawValue: "invalid_status")
  package static let invalidQuality = ErrorCode(rawValue: "invalid_quality")
  package static let invalidSubtitleReference = ErrorCode(rawValue: "invalid_subtitle_ref")
  package static let unauthorized = ErrorCode(rawValue: "unauthorized")
  package static let invalidCredentials = ErrorCode(rawValue: "invalid_credentials")
  package static let featureDisabled = ErrorCode(rawValue: "feature_disabled")
  package static let forbidden = ErrorCode(rawValue: "forbidden")
  package static let transcodeDisabled = ErrorCode(rawValue: "transcode_disabled")
  package static let profileUnverified = ErrorCode(rawValue: "profile_unverified")
  package static let userDisabled = ErrorCode(rawValue: "user_disabled")
  package static let nameConflict = ErrorCode(rawValue: "name_conflict")
  package static let noDownloadableEpisodes = ErrorCode(rawValue: "no_downloadable_episodes")
  package static let notFound = ErrorCode(rawValue: "not_found")
  package static let methodNotAllowed = ErrorCode(rawValue: "method_not_allowed")
  package static let downloadInactive = ErrorCode(rawValue: "download_inactive")
  package static let clientUpgradeRequired = ErrorCode(rawValue: "client_upgrade_required")
  package static let tooManyAttempts = ErrorCode(rawValue: "rate_limited")
  package static let limitExceeded = ErrorCode(rawValue: "download_limit_exceeded")
  package static let quotaExceeded = ErrorCode(rawValue: "download_quota_exceeded")
  package static let internalError = ErrorCode(rawValue: "internal_error")
  package static let qualityUnavailable = ErrorCode(rawValue: "quality_unavailable")
  package static let bulkQualityUnavailable = ErrorCode(rawValue: "bulk_quality_unavailable")
  package static let formatUnavailable = ErrorCode(rawValue: "format_unavailable")
  package static let unavailable = ErrorCode(rawValue: "unavailable")
}
