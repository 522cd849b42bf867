import SiloDownloads
import SiloMedia

@main
struct ListTheTracks {
  static func main() async {
    let request = DownloadRequest(source: CommandLine.arguments.dropFirst().first ?? "film.mkv")
    do {
      let audio = try await Downloader(HTTPOptions()).inspect(request).inventory.audio
      for track in audio { print(track.id, track.language?.description ?? "?", track.codec) }
    } catch { print(error) }
  }
}
