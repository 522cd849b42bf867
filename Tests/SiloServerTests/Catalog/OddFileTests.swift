import SiloTestSupport
import Testing

@testable import SiloServer

@Suite("Odd files") struct OddFileTests {
  @Test("Subtitles that are pictures need their index, those that are text do not")
  func pictures() async throws {
    let place = try CatalogFolder()
    let stream: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4]
    for name in ["Dune (2021)", "Alien (1979)", "Heat (1995)"] {
      try await place.addFilm("\(name)/\(name).mkv", number: UInt8(name.utf8.count))
    }
    try place.folder.write("Dune (2021)/Dune (2021).tr.sub", stream)
    try place.folder.write("Alien (1979)/Alien (1979).tr.sub", stream)
    try place.folder.write("Alien (1979)/Alien (1979).tr.idx", "# VobSub index file, v7\n")
    try place.folder.write("Heat (1995)/Heat (1995).tr.sub", "{0}{25}Merhaba\n")
    let contents = try await place.catalog().contents
    let subtitles = ["Dune", "Alien", "Heat"].map { title in
      contents.item(titled: title).map { contents.files(of: $0).flatMap(\.subtitles).map(\.path) }
    }
    #expect(
      subtitles == [
        [], ["Alien (1979)/Alien (1979).tr.sub"], ["Heat (1995)/Heat (1995).tr.sub"],
      ])
    #expect(
      contents.skipped.contains(
        SkippedFile(path: "Dune (2021)/Dune (2021).tr.sub", reason: "its .idx is missing")))
  }

  @Test("A year of the folder tells what a number at the end of the file's name is")
  func years() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Alien (1979)/Alien 1979.mkv", number: 1)
    try await place.addFilm("Wonder Woman 1984 (2020)/Wonder Woman 1984.mkv", number: 2)
    try await place.addFilm("Wonder Woman 1984.mkv", number: 3)
    let contents = try await place.catalog().contents
    let films = contents.items.values.map { "\($0.title), \($0.year.map(String.init) ?? "-")" }
    #expect(
      films.sorted() == ["Alien, 1979", "Wonder Woman 1984, -", "Wonder Woman 1984, 2020"])
    let alien = contents.item(titled: "Alien").map { contents.files(of: $0).map(\.version) }
    #expect(alien == [nil])
  }
}
