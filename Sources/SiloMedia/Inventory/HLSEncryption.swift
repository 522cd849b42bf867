import struct Foundation.URL

extension MediaPlaylist {
  /// How the segments are encrypted: what a download must be able to do for all of them.
  ///
  /// A segment with a plain key among its alternatives does not need a DRM system.
  public var encryption: Encryption {
    var found = Encryption.none
    var seen: Set<[SegmentKey]> = []
    for keys in segments.lazy.filter({ !$0.isGap }).flatMap({
      [$0.keys, $0.initSection?.keys ?? []]
    })
    where !keys.isEmpty && seen.insert(keys).inserted {
      let next = Encryption(alternatives: keys)
      if case .drm = next { return next }
      if next == .sampleAES || found == .none { found = next }
    }
    return found
  }

  /// Throws `.encrypted`, naming the system and where it was seen, when AES-128 with a plain key is not enough.
  public func requireDecryptable() throws(MediaError) {
    try encryption.requireDecryptable(seenIn: url, keySightings)
  }
}

extension MultivariantPlaylist {
  /// What EXT-X-SESSION-KEY says; `.none` when there is none.
  public var sessionEncryption: Encryption { Encryption(alternatives: sessionKeys.map(\.key)) }

  /// Throws `.encrypted`, naming the system and where it was seen, when only a DRM system has the session's keys.
  public func requireDecryptable() throws(MediaError) {
    try sessionEncryption.requireDecryptable(seenIn: url, sessionKeys)
  }
}

extension HLSPresentation {
  /// How it is encrypted: what a download must be able to do for all of it.
  ///
  /// The playlists' keys, the session's keys, and what a clear first segment carries inside.
  public var encryption: Encryption {
    let session = Encryption(alternatives: sessionKeys.map(\.key))
    let all =
      [session] + renditions.map(\.playlist.encryption)
      + renditions.compactMap { $0.firstSegment?.inventory.encryption }
    return all.max { $0.severity < $1.severity } ?? .none
  }

  /// Throws `.encrypted`, naming the system and where it was seen, before anything is downloaded.
  public func requireDecryptable() throws(MediaError) {
    guard let first = renditions.first else { return }
    try Encryption(alternatives: sessionKeys.map(\.key))
      .requireDecryptable(seenIn: first.url, sessionKeys)
    for rendition in renditions {
      try rendition.playlist.requireDecryptable()
      try rendition.firstSegment?.inventory.encryption
        .requireDecryptable(seenIn: rendition.url, [])
    }
  }
}

extension Encryption {
  /// What a segment needs whose keys are alternatives for one another.
  init(alternatives keys: [SegmentKey]) {
    if keys.isEmpty {
      self = .none
    } else if let plain = keys.first(where: { $0.isPlain }) {
      self = plain.method == .aes128 ? .aes128 : .sampleAES
    } else {
      var names: [String] = []
      for name in keys.compactMap(\.drmSystem) where !names.contains(name) { names.append(name) }
      self = .drm(names.joined(separator: ", "))
    }
  }

  /// Throws unless it is clear or AES-128 with a plain key.
  func requireDecryptable(
    seenIn url: URL, _ sightings: [KeySighting]
  ) throws(MediaError) {
    let what: String
    switch self {
    case .none, .aes128: return
    case .drm(let system): what = "protected by \(system)"
    case .sampleAES: what = "encrypted with SAMPLE-AES"
    case .commonEncryption(let scheme): what = "encrypted with \(scheme) (Common Encryption)"
    }
    let sighting = sightings.first { $0.key.drmSystem != nil || $0.key.method != .aes128 }
    let place = sighting.map { "\($0.tag), line \($0.line)" } ?? "inside the first segment"
    throw MediaError(
      .encrypted, "the media is \(what) (\(place)) and cannot be downloaded",
      subject: PlaylistText.name(of: url))
  }

  /// The hardest to undo last.
  var severity: Int {
    switch self {
    case .none: 0
    case .aes128: 1
    case .sampleAES: 2
    case .commonEncryption: 3
    case .drm: 4
    }
  }
}
