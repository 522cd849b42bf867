import SiloDownloads
import SiloMedia

@main
struct ListTheTracks {
  static func main() async {
    let request = DownloadRequest(source: CommandLine.arguments.dropFirst().first ?? "film.mkv")
    do {
      let audio = try await Downloader(HTTPOptions()).inspect(request).inventory.audio
      audio.forEach {
        print($0.id, $0.language?.description ?? "?", $0.codec, $0.size.byteCount ?? 0)
      }
    } catch { print(error) }
  }
}
