/// What an HLS presentation of the film is like.
package struct HLSRecipe: Hashable, Sendable {
  /// What the segments are.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// MPEG-TS.
    case ts
    /// Fragmented MP4 with an init section.
    case fmp4
  }

  /// How the segments are encrypted.
  package enum Cipher: String, Hashable, Sendable, CaseIterable {
    /// Clear.
    case none
    /// AES-128; the vector is the media sequence number.
    case implicitVector
    /// AES-128 with IV in the playlist.
    case explicitVector
  }

  /// What the segments are.
  package var form = Form.ts
  /// How they are encrypted; an init section stays clear.
  package var cipher = Cipher.none
  /// After how many segments the key changes; `nil` keeps one.
  package var segmentsPerKey: Int?
  /// By how many seconds every audio rendition starts later than the pictures.
  package var audioDelay = 0.0
  /// The media sequence number of the first segment.
  package var firstSequence = 0
  /// The presentation time of the first picture in seconds.
  package var start = 10.0
  /// Pictures, `tr` and `en` in one set of segments (the languages in the PMT), and `de` apart.
  package var isMuxed = false

  /// The demuxed, clear film.
  package init(_ form: Form = .ts, cipher: Cipher = .none, segmentsPerKey: Int? = nil) {
    self.form = form
    self.cipher = cipher
    self.segmentsPerKey = segmentsPerKey
  }

  /// Audio that starts 0.479 s after the pictures.
  package static func lateAudio(_ form: Form = .ts) -> HLSRecipe {
    var recipe = HLSRecipe(form)
    recipe.audioDelay = 0.479
    return recipe
  }

  /// The 33-bit clock of MPEG-TS wraps 9 s after the start, in the third segment.
  package static var wrapping: HLSRecipe {
    var recipe = HLSRecipe(.ts)
    recipe.start = Double(1 << 33) / 90_000 - 9
    return recipe
  }

  /// Pictures, `tr` and `en` in one set of segments, and `de` apart.
  package static var muxed: HLSRecipe {
    var recipe = HLSRecipe(.ts)
    recipe.isMuxed = true
    return recipe
  }

  /// The audio renditions: three of them suffice where the encryption matters.
  package var audioRenditions: [String] {
    cipher == .none ? HLSFixture.audioRenditions : Array(HLSFixture.audioRenditions.prefix(3))
  }

  var name: String {
    "hls-\(form.rawValue)-\(cipher.rawValue)-\(segmentsPerKey ?? 0)-\(audioDelay)-\(firstSequence)"
      + "-\(start)-\(isMuxed)"
  }
}
