/// Which files are trailers, samples and scenes and no film of their own, as Kodi and Jellyfin name them.
enum ExtraName {
  /// Whether the file of this name, without its extension, belongs to a film and is none.
  static func isExtra(_ stem: String) -> Bool {
    let lower = stem.lowercased()
    if whole.contains(lower) { return true }
    if suffixes.contains(where: { lower.hasSuffix("-" + $0) }) { return true }
    return marks.contains { mark in
      [".", "_", " "].contains { lower.hasSuffix($0 + mark) }
        && lower.utf8.count > mark.utf8.count + 1
    }
  }

  private static let whole: Set<String> = ["trailer", "sample", "theme"]
  /// With any of the signs in front.
  private static let marks = ["trailer", "sample"]
  /// Only with a dash in front: `Deep-Clip` is rarer than `Short Clip`.
  private static let suffixes = [
    "trailer", "sample", "scene", "clip", "interview", "behindthescenes", "deleted",
    "deletedscene", "featurette", "short", "other", "extra",
  ]
}
