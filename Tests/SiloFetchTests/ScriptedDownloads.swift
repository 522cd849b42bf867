import Foundation
import SiloDownloads
import SiloMedia
import SiloTestSupport
import Synchronization

@testable import silo_fetch

/// Downloads that go as a test says, by source.
struct ScriptedDownloads: Downloading {
  enum Ending: Sendable {
    case finished
    case skipped
    case failed(DownloadError.Code)
    case overBudget
    /// Runs until it is cancelled.
    case endless
  }

  var endings: [String: Ending] = [:]
  var inspection = Film.inspection
  var events: [DownloadEvent] = [
    .phase(.transferring), .progress(DownloadProgress(bytes: 10, total: 100)), .phase(.verifying),
    .phase(.packaging),
  ]

  func inspect(_ request: DownloadRequest) async throws -> Inspection {
    if case .failed(let code)? = endings[request.source] { throw DownloadError(code, "it failed") }
    return inspection
  }

  func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    let ending = endings[request.source] ?? .finished
    if case .skipped = ending {
      events(.skipped(path: URL(filePath: "/out/film.mkv"), reason: "finished before"))
      return nil
    }
    events(.inspected(try await inspect(request)))
    if case .overBudget = ending { throw DownloadError(.space, "too much") }
    // The library may say again what the inspection said.
    events(.warning("no German"))
    self.events.forEach(events)
    if case .endless = ending { try await Task.sleep(for: .seconds(3600)) }
    return FinishedDownload(
      path: URL(filePath: "/out/film.mkv"), byteCount: 100, sha256: "ab",
      inventory: inspection.inventory, verified: ["length", "sha-256", "structure"])
  }
}

/// A film with two languages, every kind of track, and a title that would move a cursor.
enum Film {
  static let audio = [
    AudioTrack(
      id: TrackID(.audio, 0), place: .stream(1), language: LanguageTag("en"),
      storedLanguage: "eng", title: "English \u{1b}[2J", codec: "aac", channels: 2,
      layout: "stereo", sampleRate: 48000, isDefault: true,
      size: SizeEstimate(byteCount: 2_000_000, basis: .exact)),
    AudioTrack(
      id: TrackID(.audio, 1), place: .stream(2), language: LanguageTag("tr"), codec: "ac3",
      channels: 6, layout: "5.1(side)", role: .commentary, isOriginal: true),
  ]

  static let inventory = MediaInventory(
    kind: .file, container: "mp4", duration: .milliseconds(1_200_033),
    size: SizeEstimate(byteCount: 640_012_345, basis: .exact),
    video: [
      VideoTrack(
        id: TrackID(.video, 0), place: .stream(0), codec: "h264", width: 1280, height: 720,
        frameRate: 25, dynamicRange: .sdr,
        size: SizeEstimate(byteCount: 600_000_000, basis: .measured))
    ], audio: audio,
    subtitles: [
      SubtitleTrack(
        id: TrackID(.subtitle, 0), place: .stream(3), language: LanguageTag("en"),
        storedLanguage: "eng", codec: "webvtt")
    ],
    chapters: [Chapter(start: .zero, end: .milliseconds(142_500), title: "One")])

  static let selection = TrackSelection(
    video: [TrackID(.video, 0)], audio: [TrackID(.audio, 1), TrackID(.audio, 0)],
    defaultAudio: TrackID(.audio, 1), missing: ["de"], reasons: [TrackID(.audio, 1): "first of tr"],
    size: SizeEstimate(byteCount: 602_000_000, basis: .measured), warnings: ["no German"])

  static let inspection = Inspection(inventory: inventory, selection: selection)
}

/// What was printed, and the surroundings that print there.
final class Printed: Sendable {
  private typealias Waiter = (
    isWanted: @Sendable (String) -> Bool, continuation: CheckedContinuation<Void, Never>
  )

  private let texts = Mutex((output: "", errors: ""))
  private let folder = try? TemporaryFolder()
  private var home: URL { (folder?.url ?? URL(filePath: "/nowhere")).appending(path: "home") }
  private let waiters = Mutex<[Waiter]>([])

  var output: String { texts.withLock { $0.output } }
  var errors: String { texts.withLock { $0.errors } }
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The objects of the lines of the output.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return object as? [String: Any] ?? [:]
    }
  }

  /// Waits until the standard output is as wanted.
  func until(_ isWanted: @escaping @Sendable (String) -> Bool) async {
    await withCheckedContinuation { continuation in
      waiters.withLock { $0.append((isWanted, continuation)) }
      wake()
    }
  }

  private func wake() {
    let output = output
    let served = waiters.withLock { waiters in
      let served = waiters.filter { $0.isWanted(output) }
      if !served.isEmpty { waiters.removeAll { $0.isWanted(output) } }
      return served
    }
    for waiter in served { waiter.continuation.resume() }
  }

  func surroundings(
    _ downloads: ScriptedDownloads = ScriptedDownloads(), environment: [String: String] = [:],
    files: [String: String] = [:]
  ) -> Surroundings {
    Surroundings(
      output: TextSink { [self] text in
        texts.withLock { $0.output += text }
        wake()
      },
      errors: TextSink { [self] text in texts.withLock { $0.errors += text } },
      environment: environment, terminal: { _ in Terminal(isInteractive: false) },
      outputTerminal: { _ in Terminal(isInteractive: false) },
      read: { path, _ in
        guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
        return text
      }, inputLine: { nil },
      fault: { $0.contains("missing") ? TextFile.Fault(description: "no such file") : nil },
      exists: { files[$0] != nil }, downloader: { _ in downloads },
      queue: { [home] in DownloadQueue(home: home) },
      library: { [home] in OfflineLibrary(home: home) },
      server: { _, _ in throw DownloadError(.config, "no server here") })
  }

  /// Runs the program with `words`.
  func run(
    _ words: [String], _ downloads: ScriptedDownloads = ScriptedDownloads(),
    environment: [String: String] = [:], files: [String: String] = [:]
  ) async -> Int32 {
    let program = Program(
      table: .siloFetch,
      surroundings: surroundings(downloads, environment: environment, files: files))
    return await program.run(words).status
  }
}
