import Foundation
import SiloMedia
import SiloSystem

/// Everything that is decided before a byte moves: what is written, from where, to where (pure, given the opened source).
struct DownloadJob: Sendable {
  /// What was asked for.
  var request: DownloadRequest
  /// What it is fetched from.
  let opened: OpenedSource
  /// What was chosen.
  let selection: TrackSelection
  /// How the chosen tracks become a file.
  let delivery: Delivery
  /// Where the file goes.
  var place: OutputPlace

  /// Decides, from the source that was looked into.
  init(_ request: DownloadRequest, opened: OpenedSource, selection: TrackSelection) throws {
    self.request = request
    self.opened = opened
    self.selection = selection
    let folder = Self.isFolder(request.output)
    let written = folder ? nil : request.output.flatMap { FileName($0) }?.suffix
    delivery = try Delivery(
      inventory: opened.inventory, selection: selection,
      asked: request.container ?? written.flatMap(Delivery.container(ofSuffix:)),
      hasPreference: !request.wishes.audio.isEmpty || request.wishes.audioTracks != nil)
    try Self.check(request, opened, delivery, suffix: written)
    var names = opened.names
    names.title = opened.inventory.title
    place = OutputPlace(
      output: request.output, isFolder: { _ in folder }, names: names,
      suffix: Self.suffix(delivery, opened.inventory, names, isShelved: request.shelf != nil),
      askedContainer: request.container, shelf: request.shelf, current: Self.currentFolder,
      nameByteLimit: DiskSpace.nameByteLimit(beside:))
    try place.requireRoom(nameByteLimit: DiskSpace.nameByteLimit(beside: place.url))
    try place.requireReplaceable(source: opened.localFile)
    try Self.check(selection, delivery)
  }

  /// Refuses more tracks than a file can be written with.
  private static func check(_ selection: TrackSelection, _ delivery: Delivery) throws {
    let count = selection.tracks.count
    guard delivery != .asStored, count > PackagePlan.trackLimit else { return }
    throw MediaError(
      .unsupported,
      "\(count) tracks are chosen, and a file takes \(PackagePlan.trackLimit). Choose fewer.")
  }

  /// A file that stays as it is keeps its suffix, `m4a` as well as `mp4`; only without one it gets that of its container.
  private static func suffix(
    _ delivery: Delivery, _ inventory: MediaInventory, _ names: OutputPlace.Names, isShelved: Bool
  ) -> String? {
    let own = (names.disposition ?? names.lastComponent).flatMap { FileName($0) }?.suffix ?? ""
    let isSide = isShelved && Sidecar.suffixes.contains(own)
    let isMedia =
      !isSide && !["bin", "php", "html", "htm", "cgi", "aspx", "dat", ""].contains(own)
    return delivery == .asStored && isMedia ? own : delivery.suffix(of: inventory)
  }

  /// Refuses what cannot be kept: a digest of something that is no plain file, a name of a container that is not written.
  private static func check(
    _ request: DownloadRequest, _ opened: OpenedSource, _ delivery: Delivery, suffix: String?
  ) throws {
    try request.requireFileOutput()
    if case .presentation = opened, request.checksum != nil {
      throw DownloadError(
        .usage, "--checksum is the digest of a plain file; this is an HLS presentation")
    }
    guard case .packaged = delivery, request.container == nil, let suffix,
      [
        "webm", "avi", "ts", "m2ts", "mts", "flv", "wmv", "mpg", "mpeg", "ogg", "mp3", "flac",
        "aac", "opus", "wav",
      ]
      .contains(suffix)
    else { return }
    throw DownloadError(
      .usage,
      "the chosen tracks are written as mp4 or mkv, not as .\(suffix); name the output so, or say --container",
      subject: request.output.map(Redaction.printable))
  }

  /// Where relative outputs are.
  static var currentFolder: URL {
    URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
  }

  /// Whether `--output` names a folder.
  static func isFolder(_ output: String?) -> Bool {
    guard let output, !output.isEmpty else { return true }
    var isFolder: ObjCBool = false
    return output.hasSuffix("/")
      || (FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        && isFolder.boolValue)
  }

  /// The source without its secrets.
  var sourceName: String {
    if let registered = request.registered { return registered.name }
    return switch opened {
    case .file(let file):
      switch file.place {
      case .local(let url): url.path
      case .web(let url), .fetched(let url, _): ResourceIdentity.text(of: url)
      }
    case .presentation(let opened): opened.source
    }
  }

  /// Text that is the same when the same tracks are written into the same container.
  var selectionName: String {
    let form =
      switch delivery {
      case .asStored: "as-stored"
      case .packaged(let container): container.rawValue
      }
    let tracks = selection.tracks.map(\.description).joined(separator: ",")
    return "\(form):\(tracks):\(selection.defaultAudio?.description ?? "")"
  }

  /// A file beside the finished one that belongs to it while it is made.
  func beside(_ suffix: String) -> URL {
    place.url.deletingLastPathComponent().appending(
      component: place.url.lastPathComponent + suffix, directoryHint: .notDirectory)
  }

  /// The file that is written before it gets its name.
  var part: URL { beside(".part") }

  /// The most bytes on disk at one time, beyond the source itself when that is local.
  var peakByteCount: Int64? {
    if case .file(let file) = opened, case .local = file.place { return selection.size.byteCount }
    if case .presentation = opened { return selection.size.byteCount.map(PackagingRule.peak) }
    return opened.inventory.peakBytes(of: selection, isRepackaged: delivery != .asStored)
  }

  /// Where it will be, what it writes meanwhile, and how much.
  var spaceNeed: SpaceReservations.Need {
    SpaceReservations.Need(
      output: place.url, places: [part, beside(".source.part"), beside(".parts")],
      peakByteCount: peakByteCount)
  }
}
