import SiloDownloads
import SiloMedia

/// Lists what is stored, and the languages in each file, without network.
@main
struct ListWhatIsOffline {
  static func main() async {
    let library = OfflineLibrary()
    do {
      for entry in try await library.entries() {
        let audio = try? await library.inventory(of: entry).audio
        let languages = audio?.map { $0.language?.description ?? "?" } ?? []
        print(entry.title, entry.condition, languages.joined(separator: ","))
      }
    } catch { print(error) }
  }
}
