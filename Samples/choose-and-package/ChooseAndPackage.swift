import Foundation
import SiloDownloads
import SiloMedia

/// Takes Turkish, then English, out of a source and says why: `choose-and-package SOURCE OUTPUT`.
@main
struct ChooseAndPackage {
  static func main() async {
    do { try await run() } catch {
      print(error)
      exit(1)
    }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: choose-and-package SOURCE OUTPUT")
      return
    }
    let languages = ["tr", "en"].compactMap { LanguageTag($0) }
    var request = DownloadRequest(
      source: arguments[1], wishes: TrackWishes(audio: languages.map { .language($0) }))
    request.output = arguments[2]

    let downloader = Downloader(HTTPOptions())
    let selection = try await downloader.inspect(request).selection
    for id in selection.audio { print(id, selection.reasons[id] ?? "") }
    print("missing:", selection.missing, "bytes:", selection.size.byteCount ?? 0)

    let file = try await downloader.run(request) { event in
      if case .phase(let phase) = event { print(phase) }
    }
    print(file.map { "\($0.path.path): \($0.sha256)" } ?? "was finished before")
  }
}
