import Foundation
import SiloDownloads
import SiloMedia

/// Queues every episode of a series, runs the queue and follows it: `queue-a-season silo:SERIES FOLDER`, after `silo-fetch login`.
@main
struct QueueASeason {
  static func main() async {
    do { try await run() } catch {
      print(error)
      exit(1)
    }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let series = try SiloReference(arguments[1]),
      let signIn = CredentialFile.ofUser()
    else {
      print("usage: queue-a-season silo:SERIES FOLDER")
      return
    }
    let session = try await SiloSession.open(signIn, HTTPOptions())
    let wishes = TrackWishes(
      audio: ["tr", "en"].compactMap { LanguageTag($0) }.map { .language($0) })
    let episodes = try await SiloCatalog(session).episodes(of: series, season: nil)
    let queue = session.queue()
    let added = try await queue.add(
      episodes.filter(\.hasFile).map { episode in
        var request = DownloadRequest(source: episode.reference.description, wishes: wishes)
        request.output = arguments[2] + "/"
        return request
      })
    print("queued:", added.count)

    let downloader = SiloDownloader(signIn, HTTPOptions())
    var run = DownloadQueue.Run { item, request, events in
      try await downloader.run(request) { event in
        events(event)
        if case .progress(let progress) = event {
          print(item.id, progress.bytes, "of", progress.total ?? 0)
        }
      }
    } ended: { item, outcome in
      if case .failed(let error) = outcome { print(item.title, error) } else { print(item.title) }
    }
    // Whatever else waits is not for this downloader.
    run.ids = Set(added.map(\.item.id))
    try await queue.run(run)
  }
}
