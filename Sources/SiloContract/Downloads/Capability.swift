/// What an account may do with downloads: `GET /downloads/capability`.
package struct Capability: Codable, Hashable, Sendable {
  /// Whether the server offers downloads at all.
  package var isEnabled: Bool
  /// Whether this account may download.
  package var isAllowed: Bool
  /// What may be asked for now, best first; empty when downloads are unavailable.
  package var qualityPresets: [Quality]
  /// Whether the server makes files below the source's quality.
  package var transcodes: Bool?
  /// Whether this account may have such files made.
  package var isTranscodingAllowed: Bool?
  /// Whether a season can be registered in one request.
  package var offersSeasons: Bool?
  /// Whether series can be followed.
  package var offersMonitoring: Bool?
  /// How series can be followed; `nil` when they cannot.
  package var monitoringModes: [String]?

  private enum CodingKeys: String, CodingKey {
    case isEnabled = "enabled"
    case isAllowed = "download_allowed"
    case qualityPresets = "quality_presets"
    case transcodes = "transcode_enabled"
    case isTranscodingAllowed = "transcode_user_allowed"
    case offersSeasons = "season_download"
    case offersMonitoring = "series_monitoring"
    case monitoringModes = "monitoring_modes"
  }

  /// A capability without transcoding, seasons and monitoring.
  package init(isEnabled: Bool, isAllowed: Bool, qualityPresets: [Quality]) {
    self.isEnabled = isEnabled
    self.isAllowed = isAllowed
    self.qualityPresets = qualityPresets
    (transcodes, isTranscodingAllowed, offersSeasons, offersMonitoring) = (
      false, false, false, false
    )
  }
}
