/// Works out a `CatalogPlan`: which file is which film or episode, and which side file belongs to it.
struct CatalogPlanner {
  /// The files of one folder by what they are.
  struct Contents {
    var videos: [FoundFile] = []
    var subtitles: [FoundFile] = []
    var pictures: [FoundFile] = []
    var notes: [FoundFile] = []
  }

  /// What was read of names in earlier plans: most of them are still there.
  typealias Names = [String: MediaName]

  var plan = CatalogPlan()
  var names: Names
  let contents: [String: Contents]
  let notes: [String: [MediaNotes]]
  var folders: [String: PlannedFolder]
  /// The film that a folder as a whole is, with its bare pictures and notes.
  var filmOfFolder: [String: String] = [:]
  /// The series whose folder it is.
  var seriesOfFolder: [String: String] = [:]
  /// The videos that are somebody's, by folder and stem.
  var stems: [String: [String: [String]]] = [:]
  /// The series and season of a season's folder.
  var seasonOfFolder: [String: (series: String, season: Int)] = [:]

  private init(
    _ files: [FoundFile], notes: [String: [MediaNotes]], rootName: String, names: Names
  ) {
    self.notes = notes
    self.names = names
    folders = ["": PlannedFolder(root: rootName)]
    var contents: [String: Contents] = [:]
    for file in files {
      switch file.kind {
      case .video: contents[file.folder, default: Contents()].videos.append(file)
      case .subtitle: contents[file.folder, default: Contents()].subtitles.append(file)
      case .picture: contents[file.folder, default: Contents()].pictures.append(file)
      case .notes: contents[file.folder, default: Contents()].notes.append(file)
      case .sound, .passOver: continue
      }
    }
    self.contents = contents
  }

  /// The plan of what was found.
  ///
  /// - Parameters:
  ///   - notes: What the NFO files say, by their paths.
  ///   - rootName: The name of the folder that is served.
  ///   - names: What was read of names in earlier plans; changed to those of this one.
  static func plan(
    _ files: [FoundFile], notes: [String: [MediaNotes]] = [:], rootName: String = "",
    names: inout Names
  ) -> CatalogPlan {
    var planner = CatalogPlanner(files, notes: notes, rootName: rootName, names: names)
    let paths = planner.contents.keys.sorted()
    for path in paths { planner.placeVideos(of: path) }
    for path in planner.plan.media.keys.sorted() {
      let (folder, name) = parts(of: path)
      planner.stems[folder, default: [:]][MediaType.stem(of: name), default: []].append(path)
    }
    for path in paths { planner.placeNotes(of: path) }
    for path in paths {
      planner.placeSubtitles(of: path)
      planner.placePictures(of: path)
    }
    for file in files where file.kind == .sound {
      planner.skip(file.path, "it has no pictures: it is served as a file and part of no film")
    }
    names = planner.names
    return planner.plan
  }

  /// The folder at `path`.
  mutating func folder(_ path: String) -> PlannedFolder {
    if let known = folders[path] { return known }
    let (above, name) = Self.parts(of: path)
    let folder = PlannedFolder(name, in: folder(above))
    folders[path] = folder
    return folder
  }

  /// What the name of a file tells, remembered.
  mutating func name(of file: FoundFile, in folder: PlannedFolder) -> MediaName {
    let isInSeason = folder.season != nil
    let key = isInSeason ? "/" + file.name : file.name
    if let known = names[key] { return known }
    let name = MediaName(file.stem, isInSeason: isInSeason)
    names[key] = name
    return name
  }

  mutating func skip(_ path: String, _ reason: String) {
    guard plan.skipped.count < 1000 else { return }
    plan.skipped.append(SkippedFile(path: path, reason: reason))
  }

  /// The notes of the file at `path` that are of one of `kinds`.
  func notes(at path: String, _ kinds: Set<MediaNotes.Kind>) -> [MediaNotes] {
    (notes[path] ?? []).filter { kinds.contains($0.kind) }
  }

  /// The path of what is called `name` in the folder at `path`.
  static func join(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : path + "/" + name
  }

  /// The folder and the name of a path.
  static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
