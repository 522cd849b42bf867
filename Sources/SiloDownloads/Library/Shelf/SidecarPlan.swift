import SiloContract
import SiloMedia
import SiloSystem

import struct Foundation.Data

/// What lies beside a file of a Silo server: what to fetch, what to call it, and why (pure).
struct SidecarPlan: Sendable {
  /// Where the media lies, and what may be taken from where.
  struct Place: Sendable {
    /// The absolute path of the media file.
    var path: String
    /// Whether it lies as the shelf has it: an episode in the folder of its season, in that of its series.
    var isShelved: Bool
    /// The server that is signed in to.
    var server: SiloAddress
    /// The longest name in bytes that the folder takes.
    var nameByteLimit = 255
  }

  /// Where the bytes of a file come from.
  enum Content: Hashable, Sendable {
    /// The manifest as it came.
    case manifest
    /// What is known, written for a media centre.
    case note(NFONote)
    /// A picture of the download.
    case artwork(ArtworkKind)
    /// A subtitle file of the download.
    case subtitles(SubtitleReference, SubtitleForm)
  }

  /// One file.
  struct Entry: Hashable, Sendable {
    var content: Content
    var kind: Sidecar.Kind
    var owner: Sidecar.Owner
    /// The absolute path; of a picture without its suffix, which its bytes tell.
    var path: String
    /// Why it is wanted, in a few words.
    var why: String
    /// What it is to a person, in a sentence.
    var name: String
    /// Whether the download fails without it: subtitles of a language that was asked for.
    var isRequired = false
    /// What it is instead when its bytes are a wide picture: the still of an episode.
    var pathIfWide: String?
  }

  /// The files that are wanted.
  private(set) var entries: [Entry] = []
  /// What is not fetched although the manifest names it, and why.
  private(set) var warnings: [String] = []

  private let sheet: ItemSheet
  private let place: Place
  private let folder: String
  private let stem: String

  /// The plan for the media at `place`.
  ///
  /// - Parameter inventory: What is in the media: its audio decides which forced subtitles come.
  init(_ sheet: ItemSheet, wishes: TrackWishes, inventory: MediaInventory, place: Place) {
    (self.sheet, self.place) = (sheet, place)
    folder = AtomicFile.folder(of: place.path)
    stem = Self.stem(of: place.path)
    add(.manifest, .manifest, own(".manifest.json"), why: "offline", name: "the manifest")
    addNotes()
    addArtwork()
    addSubtitles(wishes, inventory)
  }

  /// The name of the file at `path` without its suffix.
  static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name
    }
    return String(name[..<dot])
  }

  /// The last part of `path`: a letter may begin with a mark, so that no slash is seen before it.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The path of a file that has the name of the media and `tail` behind it.
  private func own(_ tail: String) -> String { folder + (folder == "/" ? "" : "/") + stem + tail }

  /// The folder of the series, where the media lies in one.
  private var seriesFolder: String? {
    place.isShelved && sheet.isEpisode ? AtomicFile.folder(of: folder) : nil
  }

  private mutating func add(
    _ content: Content, _ kind: Sidecar.Kind, _ path: String, of owner: Sidecar.Owner? = nil,
    why: String, name: String, isRequired: Bool = false, pathIfWide: String? = nil
  ) {
    guard
      Self.name(of: path).utf8.count + ".webp".utf8.count + Sidecar.writing.utf8.count
        <= place.nameByteLimit
    else {
      warnings.append("\(name) is not kept: its name is longer than the folder takes")
      return
    }
    entries.append(
      Entry(
        content: content, kind: kind, owner: owner ?? .file(place.path), path: path, why: why,
        name: name, isRequired: isRequired, pathIfWide: pathIfWide))
  }

  private mutating func addNotes() {
    add(.note(sheet.note), .note, own(".nfo"), why: "media centre", name: "the NFO file")
    guard let seriesFolder else { return }
    add(
      .note(sheet.seriesNote), .note, seriesFolder + "/tvshow.nfo", of: .series(seriesFolder),
      why: "media centre, of the series", name: "the NFO file of the series")
  }

  // MARK: - Pictures

  private static let pictures: [(ArtworkKind, Sidecar.Kind)] = [
    (.poster, .poster), (.backdrop, .fanart), (.logo, .clearlogo),
  ]

  private mutating func addArtwork() {
    for (artwork, kind) in Self.pictures {
      guard let address = sheet.manifest.artworkURLs[artwork], !address.isEmpty else { continue }
      let asset = AssetAddress(address, of: sheet.manifest.downloadID, on: place.server)
      guard asset?.isArtwork(artwork) == true else {
        refuse("the \(kind.rawValue)", address)
        continue
      }
      addPicture(artwork, kind)
    }
  }

  private mutating func addPicture(_ artwork: ArtworkKind, _ kind: Sidecar.Kind) {
    let content = Content.artwork(artwork)
    guard sheet.isEpisode else {
      add(content, kind, own("-\(kind.rawValue)"), why: "artwork", name: "the \(kind.rawValue)")
      return
    }
    // Servers call the still of an episode its poster; a poster of the series is upright.
    let isStill = artwork == .poster ? Self.isWide(sheet.manifest.posterThumbhash) : false
    if isStill == true {
      add(content, .thumb, own("-thumb"), why: "artwork", name: "the picture of the episode")
    } else if let seriesFolder {
      add(
        content, kind, "\(seriesFolder)/\(kind.rawValue)", of: .series(seriesFolder),
        why: "artwork of the series", name: "the \(kind.rawValue) of the series",
        pathIfWide: isStill == nil ? own("-thumb") : nil)
    }
  }

  /// Whether the picture that a ThumbHash is of is wider than high; `nil` when there is none.
  ///
  /// Its fifth byte ends in the bit that says so (evanw/thumbhash).
  static func isWide(_ thumbhash: String?) -> Bool? {
    guard let thumbhash, thumbhash.utf8.count <= 64, let data = Data(base64Encoded: thumbhash),
      data.count >= 5
    else { return nil }
    return [UInt8](data)[4] & 0x80 != 0
  }

  private mutating func refuse(_ name: String, _ address: String) {
    let place = Redaction.printable(Redaction.cut(address, to: 120))
    warnings.append("not fetched: \(name); '\(place)' is no place of this download on the server")
  }

  // MARK: - Subtitles

  private mutating func addSubtitles(_ wishes: TrackWishes, _ inventory: MediaInventory) {
    let all = sheet.manifest.subtitles
    let choice = ExternalSubtitles(all, wishes: wishes, inventory: inventory)
    if all.count > ExternalSubtitles.limit {
      warnings.append(
        "of \(all.count) subtitle files only the first \(ExternalSubtitles.limit) are looked at")
    }
    var taken = Set<String>()
    for kept in choice.kept {
      guard let form = SubtitleForm(format: kept.subtitle.format) else {
        let format = Redaction.printable(Redaction.cut(kept.subtitle.format ?? "unknown", to: 20))
        warnings.append("\(kept.name) are not kept: the form '\(format)' is not known")
        continue
      }
      let address = kept.subtitle.fetchURL
      let asset = AssetAddress(address, of: sheet.manifest.downloadID, on: place.server)
      guard let reference = asset?.subtitles else {
        refuse(kept.name, address)
        continue
      }
      let tail = Self.tail(kept, form) { taken.insert($0.lowercased()).inserted }
      add(
        .subtitles(reference, form), .subtitles, own(tail), why: kept.why, name: kept.name,
        isRequired: kept.isNamed)
    }
  }

  /// `.tr.forced.srt`; the second of the same marks is `.2.tr.forced.srt`, as players still read the language.
  private static func tail(
    _ kept: ExternalSubtitles.Kept, _ form: SubtitleForm, isFree: (String) -> Bool
  ) -> String {
    let marks = kept.marks.map { "." + $0 }.joined()
    var number = 1
    while true {
      let tail = (number == 1 ? "" : ".\(number)") + marks + ".\(form.rawValue)"
      if isFree(tail) { return tail }
      number += 1
    }
  }
}
