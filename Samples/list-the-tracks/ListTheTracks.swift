import SiloDownloads
import SiloMedia

@main
struct ListTheTracks {
  static func main() async throws {
    let request = DownloadRequest(source: CommandLine.arguments.dropFirst().first ?? "film.mkv")
    let inspection = try await Downloader(HTTPOptions()).inspect(request)
    for track in inspection.inventory.audio {
      print(track.id, track.language?.description ?? "?", track.codec, track.size.byteCount ?? 0)
    }
  }
}
