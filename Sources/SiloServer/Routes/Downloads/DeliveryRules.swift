import SiloContract

/// How a download is delivered.
struct DeliveryTarget: Hashable, Sendable {
  /// What the client asked for.
  var quality = Quality.original
  /// What it gets.
  var effective = Quality.original
  var format = DeliveryFormat.original
  /// The most that a transcode has; 0 for what keeps the source's pictures.
  var kilobitsPerSecond = 0

  /// The source as it is.
  static let original = DeliveryTarget()

  /// The status of a row that has just got this target.
  var status: DownloadStatus { format == .original ? .ready : .preparing }
}

/// What may be delivered, and in which form (spec, sections 3 and 4.1; facts, section 5).
///
/// This server has no prepare pipeline: `hasPipeline` is for the decisions that are made with one.
struct DeliveryRules: Hashable, Sendable {
  /// Whether files are prepared at all.
  var hasPipeline = false
  var areEnabled = true
  /// Whether this account may download.
  var isAllowed = true
  /// Whether the owner lets files below the source's quality be made.
  var transcodes = true
  /// Whether they may be made for this account.
  var isTranscodingAllowed = true

  /// What the account may ask for, the best first.
  var presets: [Quality] {
    guard areEnabled, isAllowed else { return [] }
    return hasPipeline && transcodes && isTranscodingAllowed ? Quality.ladder : [.original]
  }

  /// How `version` is delivered when `quality` is asked for by a device that can play what `capabilities` say.
  ///
  /// Without capabilities the source is what the device wants.
  func target(
    of quality: Quality, _ version: MediaVersion, _ capabilities: DecodeCapabilities?
  ) throws(Refusal) -> DeliveryTarget {
    guard quality == .original else { return try transcode(quality, effective: quality) }
    guard let capabilities else { return .original }
    // What cannot be shown is made anew at the highest preset, and what is only packed otherwise is packed again.
    guard Self.fits(version.videoCodec, capabilities.videoCodecs) else {
      return try transcode(.original, effective: Quality(rawValue: "20mbps"))
    }
    let isDirect =
      Self.fits(version.container, capabilities.containers)
      && Self.fits(version.audioCodec, capabilities.audioCodecs, capabilities.passthroughCodecs)
    guard !isDirect else { return .original }
    guard hasPipeline else {
      throw Refusal(501, .formatUnavailable, "The device needs another form, which is not prepared")
    }
    return DeliveryTarget(format: .remux)
  }

  /// Refuses what cannot be made for this account.
  func requireTranscoding() throws(Refusal) {
    guard transcodes else {
      throw Refusal(403, .transcodeDisabled, "This server prepares no files")
    }
    guard isTranscodingAllowed else {
      throw Refusal(403, .forbidden, "This account may not have files prepared")
    }
    guard hasPipeline else {
      throw Refusal(501, .qualityUnavailable, "This quality cannot be prepared now")
    }
  }

  private func transcode(
    _ quality: Quality, effective: Quality
  ) throws(Refusal) -> DeliveryTarget {
    guard let kilobits = effective.kilobitsPerSecond else {
      throw Refusal(400, .invalidQuality, "There is no such quality")
    }
    try requireTranscoding()
    return DeliveryTarget(
      quality: quality, effective: effective, format: .transcode, kilobitsPerSecond: kilobits)
  }

  /// Whether a device that names what it can play can play `value`; one that names nothing can play everything.
  private static func fits(_ value: String?, _ lists: [String]?...) -> Bool {
    let known = lists.compactMap { $0 }.flatMap { $0 }
    guard let value, !known.isEmpty else { return true }
    return known.contains { $0.lowercased() == value.lowercased() }
  }
}

extension DownloadLimits {
  /// The rules for the account called `name`.
  func rules(for name: String) -> DeliveryRules {
    DeliveryRules(
      areEnabled: areEnabled, isAllowed: mayDownload(name), transcodes: transcodes,
      isTranscodingAllowed: mayTranscode(name))
  }
}

extension MediaVersion {
  /// What a device gets of this version in another form: one MP4 with one audio track (facts, section 5).
  func prepared(as format: DeliveryFormat) -> MediaVersion {
    var version = self
    version.container = "mp4"
    if format == .transcode { version.videoCodec = "h264" }
    let tracks = audioTracks ?? []
    let chosen = effectiveAudioTrackIndex ?? tracks.firstIndex { $0.isDefault == true } ?? 0
    if var track = tracks.indices.contains(chosen) ? tracks[chosen] : tracks.first {
      let isCopied = format == .remux && track.codec.map(Self.codecsOfMP4.contains) == true
      if !isCopied { track.codec = "aac" }
      track.isDefault = true
      (version.audioTracks, version.audioCodec) = ([track], track.codec)
      version.effectiveAudioTrackIndex = 0
    }
    return version
  }

  private static let codecsOfMP4: Set<String> = ["aac", "ac3", "eac3", "mp3", "alac", "opus"]
}
