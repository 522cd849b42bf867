extension CatalogPlanner {
  /// Gives the notes of the folder at `path` to whom they are about.
  mutating func placeNotes(of path: String) {
    guard let contents = contents[path], !contents.notes.isEmpty else { return }
    let folder = folder(path)
    guard !folder.isExtra else { return }
    for file in contents.notes {
      switch file.name.lowercased() {
      case "movie.nfo":
        if let film = filmOfFolder[path] { take(file, [.movie], .film(film), isOwn: false) }
      case "tvshow.nfo":
        if let key = seriesOfFolder[path] { take(file, [.series], .series(key), isOwn: true) }
      case "season.nfo":
        if let season = seasonOfFolder[path] {
          take(file, [.season], .season(season.series, season.season), isOwn: true)
        }
      default: placeNotes(file, in: folder)
      }
    }
  }

  /// Notes that are named like a film or an episode, or like the folder of a film.
  private mutating func placeNotes(_ file: FoundFile, in folder: PlannedFolder) {
    if let owner = owner(ofStem: file.stem, in: folder) {
      switch owner {
      case .film: take(file, [.movie], owner, isOwn: true)
      case .episode(let series, _): placeEpisodeNotes(file, of: series, in: folder)
      default: return
      }
    } else if let film = filmOfFolder[folder.path],
      !notes(at: file.path, [.movie]).isEmpty
    {
      take(file, [.movie], .film(film), isOwn: false)
    } else if !notes(at: file.path, [.episode]).isEmpty {
      // Nothing but notes: an episode that the server knows of and has no file of.
      let name = name(of: file, in: folder)
      let series = series(of: name, in: folder, prefixes: [name.foldedTitle])
      placeEpisodeNotes(file, of: series, in: folder)
      if folder.isSeason, let season = folder.season {
        seasonOfFolder[folder.path] = (series, season)
      }
    }
  }

  private mutating func placeEpisodeNotes(
    _ file: FoundFile, of series: String, in folder: PlannedFolder
  ) {
    let name = name(of: file, in: folder)
    let named = (name.number ?? folder.name.number).map { number in
      number.episodes.map { EpisodePlace(season: number.season ?? folder.season ?? 1, number: $0) }
    }
    let all = notes(at: file.path, [.episode])
    for (index, note) in all.enumerated() {
      // The name places the file; the notes only what it leaves open, as for one file with several episodes.
      let noted = note.episode.flatMap { number in
        (note.season ?? folder.season).map { EpisodePlace(season: $0, number: number) }
      }
      let place: EpisodePlace?
      if let named {
        place =
          noted.flatMap { named.contains($0) ? $0 : nil }
          ?? (named.indices.contains(index) ? named[index] : nil)
      } else {
        place = noted
      }
      guard let place else { continue }
      if plan.series[series]?.episodes[place] == nil {
        plan.series[series]?.episodes[place] = CatalogPlan.Episode(title: name.episodeTitle)
      }
      plan.notes[.episode(series, place)] = note
    }
  }

  private mutating func take(
    _ file: FoundFile, _ kinds: Set<MediaNotes.Kind>, _ owner: CatalogPlan.Owner, isOwn: Bool
  ) {
    guard let first = notes(at: file.path, kinds).first else { return }
    // Those named like the film come before `movie.nfo`.
    if isOwn || plan.notes[owner] == nil { plan.notes[owner] = first }
  }

  /// Whose the video of that stem is.
  func owner(ofStem stem: String, in folder: PlannedFolder) -> CatalogPlan.Owner? {
    videos(in: folder.path)[stem]?.first.flatMap { plan.media[$0]?.owner }
  }

  /// The videos of the folder at `path` that are somebody's, by stem.
  private func videos(in path: String) -> [String: [String]] { stems[path] ?? [:] }

  /// Gives the subtitle files of the folder at `path` to the videos that they belong to.
  mutating func placeSubtitles(of path: String) {
    guard let contents = contents[path], !contents.subtitles.isEmpty else { return }
    let folder = folder(path)
    guard !folder.isExtra else { return }
    // `Subs/` and `Subs/Film/`: the media is above.
    var above = path
    while self.folder(above).isSubtitles { above = Self.parts(of: above).folder }
    let videos = videos(in: above)
    guard !videos.isEmpty else { return }
    let inner = path == above ? nil : Self.parts(of: path).name
    for file in contents.subtitles {
      guard case .subtitle(let format) = file.kind else { continue }
      let (paths, marks) = media(of: file, among: videos, inner: inner, folder: above)
      guard !paths.isEmpty else {
        skip(file.path, "it is named like no media beside it")
        continue
      }
      let sidecar = CatalogPlan.Sidecar(
        path: file.path, format: format, byteCount: file.byteCount, name: SidecarName(marks: marks))
      for path in paths { plan.media[path]?.subtitles.append(sidecar) }
    }
  }

  /// The videos that a subtitle file belongs to, and what its name says beyond theirs.
  private func media(
    of file: FoundFile, among videos: [String: [String]], inner: String?, folder: String
  ) -> (paths: [String], marks: String) {
    let stem = file.stem
    if let (paths, rest) = Self.longest(videos, of: stem) { return (paths, rest) }
    if let inner, let paths = videos[inner] { return (paths, stem) }
    if let film = filmOfFolder[folder].flatMap({ plan.films[$0] }) {
      let own = film.paths.filter { Self.parts(of: $0).folder == folder }
      // `Dune (2021).en.srt` beside `Dune (2021) - 2160p.mkv`, or whatever lies in the subtitles' folder.
      let (base, rest) = Self.base(stem)
      if inner != nil, own.count == videos.values.map(\.count).reduce(0, +) { return (own, stem) }
      if MediaName(base).foldedTitle == FoldedText.of(film.title) { return (own, rest) }
      let marks = SidecarName(marks: stem)
      if videos.count == 1, marks.language != nil, marks.title == nil { return (own, stem) }
    }
    if inner != nil, videos.count == 1, let paths = videos.values.first { return (paths, stem) }
    return ([], "")
  }

  /// The video whose stem the name begins with, and the rest of the name.
  static func longest(
    _ videos: [String: [String]], of name: String
  ) -> (paths: [String], rest: String)? {
    var end = name.endIndex
    for _ in 0..<12 {
      if let paths = videos[String(name[..<end])] { return (paths, String(name[end...])) }
      guard let cut = name[..<end].lastIndex(where: { ".-_ [(".contains($0) }),
        cut != name.startIndex
      else { return nil }
      end = cut
    }
    return nil
  }

  /// A name up to its first mark.
  private static func base(_ stem: String) -> (String, String) {
    guard
      let dot = stem.lastIndex(of: ")") ?? stem.firstIndex(of: ".").map({ stem.index(before: $0) })
    else { return (stem, "") }
    let end = stem.index(after: dot)
    return (String(stem[..<end]), String(stem[end...]))
  }

  /// Gives the pictures of the folder at `path` to whom they show.
  mutating func placePictures(of path: String) {
    guard let contents = contents[path], !contents.pictures.isEmpty else { return }
    let folder = folder(path)
    guard !folder.isExtra, !folder.isSubtitles else { return }
    let videos = videos(in: path)
    for file in contents.pictures {
      let stem = file.stem
      if let season = ArtworkName.seasonPoster(stem) {
        guard let series = seriesOfFolder[path] else { continue }
        show(file, as: ArtworkName.Match(kind: .poster, rank: 0), .season(series, season))
      } else if let match = ArtworkName.bare(stem) {
        guard let owner = ownerOfFolder(path) else { continue }
        show(file, as: match, owner)
      } else if let (paths, rest) = Self.longest(videos, of: stem) {
        guard let match = ArtworkName.behind(rest),
          let owner = paths.first.flatMap({ plan.media[$0]?.owner })
        else { continue }
        show(file, as: match, owner)
      } else if let film = filmOfFolder[path], let dash = stem.lastIndex(of: "-"),
        let match = ArtworkName.bare(String(stem[stem.index(after: dash)...])),
        MediaName(String(stem[..<dash])).foldedTitle == FoldedText.of(plan.films[film]?.title ?? "")
      {
        show(file, as: match, .film(film))
      }
    }
  }

  private func ownerOfFolder(_ path: String) -> CatalogPlan.Owner? {
    if let film = filmOfFolder[path] { return .film(film) }
    if let season = seasonOfFolder[path] { return .season(season.series, season.season) }
    return seriesOfFolder[path].map { .series($0) }
  }

  private mutating func show(
    _ file: FoundFile, as match: ArtworkName.Match, _ owner: CatalogPlan.Owner
  ) {
    let known = plan.artwork[owner]?[match.kind]
    guard known.map({ match.rank < $0.rank }) ?? true else { return }
    plan.artwork[owner, default: [:]][match.kind] = CatalogPlan.Picture(
      path: file.path, rank: match.rank)
  }
}
