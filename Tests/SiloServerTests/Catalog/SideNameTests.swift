import SiloMedia
import Testing

@testable import SiloServer

@Suite("Names of side files")
struct SideNameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var marks: String
    var language: String?
    var isForced = false
    var isHearingImpaired = false
    var isDefault = false
    var title: String?
    var testDescription: String { marks }
  }

  @Test(
    "A subtitle's name gives language and marks",
    arguments: [
      Row(marks: ""),
      Row(marks: ".tr", language: "tr"),
      Row(marks: ".tur", language: "tr"),
      Row(marks: ".ger", language: "de"),
      Row(marks: ".tr.forced", language: "tr", isForced: true),
      Row(marks: ".forced.tr", language: "tr", isForced: true),
      Row(marks: ".en.sdh", language: "en", isHearingImpaired: true),
      Row(marks: ".en.cc", language: "en", isHearingImpaired: true),
      Row(marks: ".en.hi", language: "en", isHearingImpaired: true),
      Row(marks: ".hi", language: "hi"),
      Row(marks: ".hin.hi", language: "hi", isHearingImpaired: true),
      Row(marks: ".default.en", language: "en", isDefault: true),
      Row(marks: ".en.default.forced", language: "en", isForced: true, isDefault: true),
      Row(marks: ".pt-BR", language: "pt-BR"),
      Row(marks: ".zh-Hans", language: "zh-Hans"),
      Row(marks: ".Turkish", language: "tr"),
      Row(marks: ".Türkçe", language: "tr"),
      Row(marks: "2_English", language: "en"),
      Row(marks: ".Commentary.en", language: "en", title: "Commentary"),
      Row(marks: ".forced", isForced: true),
      Row(marks: ".The", title: "The"),
      Row(marks: ".2.en", language: "en"),
      Row(marks: "[en]", language: "en"),
    ])
  func sidecar(row: Row) {
    let name = SidecarName(marks: row.marks)
    #expect(name.language?.description == row.language)
    #expect(name.isForced == row.isForced)
    #expect(name.isHearingImpaired == row.isHearingImpaired)
    #expect(name.isDefault == row.isDefault)
    #expect(name.title == row.title)
  }

  @Test(
    "A picture's name gives its kind",
    arguments: [
      ("poster", .poster), ("Folder", .poster), ("cover", .poster), ("fanart", .backdrop),
      ("backdrop", .backdrop), ("clearlogo", .logo), ("logo", .logo), ("banner", nil),
      ("holiday", nil),
    ] as [(String, ArtworkName.Kind?)])
  func bare(stem: String, kind: ArtworkName.Kind?) {
    #expect(ArtworkName.bare(stem)?.kind == kind)
  }

  @Test(
    "What follows the film's name gives the kind of its picture",
    arguments: [
      ("-poster", .poster), (".poster", .poster), ("", .poster), ("-thumb", .poster),
      ("-fanart", .backdrop), ("-clearlogo", .logo), ("poster", nil), ("-banner", nil),
    ] as [(String, ArtworkName.Kind?)])
  func behind(ending: String, kind: ArtworkName.Kind?) {
    #expect(ArtworkName.behind(ending)?.kind == kind)
  }

  @Test(
    "The poster of a season is found in the folder of its series",
    arguments: [
      ("season01-poster", 1), ("season1-poster", 1), ("Season-Specials-poster", 0),
      ("season-all-poster", nil), ("season01", nil), ("poster", nil),
    ] as [(String, Int?)])
  func season(stem: String, number: Int?) {
    #expect(ArtworkName.seasonPoster(stem) == number)
  }
}
