/// What is changed in the index of an MP4 file that libavformat made, because it cannot be asked to write it.
///
/// The media do not move, so every place in the index stays right whatever is put into it.
struct MovieBoxEdit: Hashable {
  /// What is changed in one track.
  struct Track: Hashable {
    /// Whether players show it without being asked; only such tracks are "enabled".
    var isEnabled = true
    /// The language as a BCP-47 tag, where three letters do not say it all.
    var extendedLanguage: String?
    /// What it is for in Apple's words.
    var characteristics: [String] = []
  }

  /// The tracks in their order in the index; further ones are left as they are.
  var tracks: [Track]

  /// The changed `moov` box of a whole one; `nil` when `box` is none.
  func applied(to box: ArraySlice<UInt8>) -> [UInt8]? {
    guard let movie = MP4Box.list(box).first, movie.type == "moov" else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity(box.count + tracks.count * 256)
    var index = 0
    Self.append("moov", to: &out) { out in
      for child in movie.children {
        guard child.type == "trak", tracks.indices.contains(index) else {
          Self.append(child, to: &out)
          continue
        }
        Self.append(child, tracks[index], to: &out)
        index += 1
      }
    }
    return out
  }

  private static func append(_ trak: MP4Box, _ edit: Track, to out: inout [UInt8]) {
    let tags = edit.characteristics
    append("trak", to: &out) { out in
      for child in trak.children {
        switch child.type {
        case "tkhd": append(child, isEnabled: edit.isEnabled, to: &out)
        case "mdia": append(child, language: edit.extendedLanguage, to: &out)
        case "udta" where !tags.isEmpty:
          append("udta", to: &out) { out in
            out += child.payload
            append(tags, to: &out)
          }
        default: append(child, to: &out)
        }
      }
      if !tags.isEmpty, trak.child("udta") == nil {
        append("udta", to: &out) { append(tags, to: &$0) }
      }
    }
  }

  private static func append(_ characteristics: [String], to out: inout [UInt8]) {
    for name in characteristics { append("tagc", to: &out) { $0 += Array(name.utf8) } }
  }

  /// ISO/IEC 14496-12, 8.3.2: the lowest of the 24 flag bits is track_enabled.
  private static func append(_ header: MP4Box, isEnabled: Bool, to out: inout [UInt8]) {
    append("tkhd", to: &out) { out in
      var payload = Array(header.payload)
      if payload.count > 3 { payload[3] = isEnabled ? payload[3] | 1 : payload[3] & ~1 }
      out += payload
    }
  }

  /// ISO/IEC 14496-12, 8.4.6: the extended language tag stands behind the media header.
  private static func append(_ media: MP4Box, language: String?, to out: inout [UInt8]) {
    append("mdia", to: &out) { out in
      for child in media.children where child.type != "elng" || language == nil {
        append(child, to: &out)
        if child.type == "mdhd", let language {
          append("elng", to: &out) { $0 += [0, 0, 0, 0] + Array(language.utf8) + [0] }
        }
      }
    }
  }

  private static func append(_ box: MP4Box, to out: inout [UInt8]) {
    append(box.type, to: &out) { $0 += box.payload }
  }

  private static func append(
    _ type: String, to out: inout [UInt8], _ content: (inout [UInt8]) -> Void
  ) {
    let start = out.count
    out += [0, 0, 0, 0] + Array(type.utf8)
    content(&out)
    let size = UInt32(clamping: out.count - start)
    for (index, shift) in [24, 16, 8, 0].enumerated() {
      out[start + index] = UInt8(truncatingIfNeeded: size >> UInt32(shift))
    }
  }
}

extension MovieBoxEdit.Track {
  /// What a track of a plan needs.
  init(_ track: PackageTrack) {
    isEnabled = track.isDefault || track.id.kind == .video
    extendedLanguage = track.language.flatMap { $0.isMoreThanThreeLetters ? $0.description : nil }
    switch track.id.kind {
    case .audio where track.role == .description:
      characteristics = ["public.accessibility.describes-video"]
    case .subtitle:
      if track.isForced { characteristics.append("public.subtitles.forced-only") }
      if track.isHearingImpaired {
        characteristics += [
          "public.accessibility.transcribes-spoken-dialog",
          "public.accessibility.describes-music-and-sound",
        ]
      }
    default: break
    }
  }
}

extension LanguageTag {
  /// Whether the three letters of ISO 639-2 lose something of it: a region, a script, a variant.
  var isMoreThanThreeLetters: Bool {
    iso639_2T.flatMap { LanguageTag($0) }?.description != description
  }
}
