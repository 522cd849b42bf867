/// A folder with what its name and those above it make of it.
struct PlannedFolder: Sendable {
  /// Where it is; empty for the folder that is served.
  let path: String
  /// What its name tells.
  let name: MediaName
  /// Whether it is the folder that is served, or a shelf: its name is no title.
  let isShelf: Bool
  /// Whether it lies among trailers and scenes.
  let isExtra: Bool
  /// Whether it holds subtitles of the media above it.
  let isSubtitles: Bool
  /// The season, when it lies in a season's folder.
  let season: Int?
  /// Whether it is a season's folder itself.
  let isSeason: Bool
  /// The folder of the series that its season belongs to.
  let seriesFolder: String?
  /// The name of that series, where the season's own folder gives it.
  let seriesName: MediaName?

  /// The folder that is served.
  init(root name: String) {
    path = ""
    self.name = MediaName(name)
    (isShelf, isExtra, isSubtitles, isSeason) = (true, false, false, false)
    (season, seriesFolder, seriesName) = (nil, nil, nil)
  }

  /// A folder called `name` in `parent`.
  init(_ name: String, in parent: PlannedFolder) {
    path = parent.path.isEmpty ? name : parent.path + "/" + name
    let role = FolderRole(name)
    self.name = MediaName(name)
    isShelf = role == .shelf && parent.isShelf
    isExtra = parent.isExtra || role == .extras && !parent.isShelf
    isSubtitles = parent.isSubtitles || role == .subtitles && !parent.isShelf
    guard case .season(let number, let title) = role else {
      isSeason = false
      (season, seriesFolder, seriesName) =
        (parent.season, parent.seriesFolder, parent.seriesName)
      return
    }
    (isSeason, season) = (true, number)
    if let title {
      // `Dark (2017)/Dark S01`: the upper name is the better one.
      let own = MediaName(title)
      let isUpper = !parent.isShelf && Self.areAlike(parent.name.foldedTitle, own.foldedTitle)
      seriesFolder = isUpper ? parent.path : path
      seriesName = isUpper ? nil : own
    } else {
      (seriesFolder, seriesName) = (parent.path, nil)
    }
  }

  /// Whether one title begins with the other.
  static func areAlike(_ a: String, _ b: String) -> Bool {
    !a.isEmpty && !b.isEmpty && (a.hasPrefix(b) || b.hasPrefix(a))
  }
}
