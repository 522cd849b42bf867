/// How near a track's language is to a wanted one; lower is nearer, and what is not listed is no match at all.
public enum LanguageTier: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// The same language, script and region.
  case same
  /// Any region or script was wanted, and the track states one (`pt` takes `pt-BR`).
  case specific
  /// A region or script was wanted, and the track states none (`pt-BR` takes `pt`).
  case generic
  /// Another region that speaks alike (`es-MX` takes `es-419`).
  case nearRegion
  /// Another region (`pt-BR` takes `pt-PT`).
  case farRegion
  /// Another script, which the ear does not mind.
  case otherScript
  /// Norwegian Bokmål and Nynorsk.
  case sibling

  /// Nearer first.
  public static func < (a: LanguageTier, b: LanguageTier) -> Bool { a.rawValue < b.rawValue }

  /// The tier of a track in `stored` for a wish for `wanted`, or `nil` when they are different languages.
  public init?(wanted: LanguageTag, stored: LanguageTag) {
    guard wanted.primary == stored.primary else {
      guard Set([wanted.primary, stored.primary]) == ["no", "nn"] else { return nil }
      self = .sibling
      return
    }
    if let a = wanted.script, let b = stored.script, a != b {
      self = .otherScript
    } else if let a = wanted.region, let b = stored.region, a != b {
      let areNear = Self.speech(wanted.primary, a) == Self.speech(wanted.primary, b)
      self = areNear ? .nearRegion : .farRegion
    } else if wanted.region != nil && stored.region == nil
      || wanted.script != nil && stored.script == nil
    {
      self = .generic
    } else if wanted.region != stored.region || wanted.script != stored.script {
      self = .specific
    } else {
      self = .same
    }
  }

  /// The regions of one language that speak alike; elsewhere every region is on its own.
  private static func speech(_ primary: String, _ region: String) -> String {
    switch primary {
    case "es": ["ES", "GQ", "EA", "IC", "AD", "GI"].contains(region) ? "Spain" : "Latin America"
    case "pt": region == "BR" ? "Brazil" : "Portugal"
    case "en":
      ["US", "CA", "PH", "PR", "GU", "VI", "AS", "MP", "UM"].contains(region)
        ? "America" : "Britain"
    case "fr": region == "CA" ? "Canada" : "France"
    default: region
    }
  }
}
