import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("Playlists that others test with")
struct PlaylistVectorsTests {
  struct Table: Decodable {
    var playlists: [Row]
  }

  struct Row: Decodable, Sendable {
    var file: String
    var kind: String
    var segments: Int?
    var discontinuities: Int?
    var variants: Int?
    var renditions: Int?
    var iFrameVariants: Int?
    var errorLine: Int?
  }

  static func folder() throws -> URL {
    try #require(Bundle.module.resourceURL).appending(path: "Vectors")
  }

  static func rows() throws -> [Row] {
    let url = try folder().appending(path: "playlist-counts.json")
    return try JSONDecoder().decode(Table.self, from: Data(contentsOf: url)).playlists
  }

  /// The bytes of a playlist; the largest lies here compressed.
  static func bytes(of file: String) async throws -> [UInt8] {
    let url = try folder().appending(path: "playlists/\(file)")
    let packed = url.path + ".gz"
    guard FileManager.default.fileExists(atPath: packed) else {
      return [UInt8](try Data(contentsOf: url))
    }
    return Array(try await runSuccessfully("/usr/bin/gzip", ["-dc", packed]).stdout.utf8)
  }

  @Test("Every playlist parses with nothing cut off, or is refused with its line named")
  func table() async throws {
    let rows = try Self.rows()
    #expect(rows.count == 151)
    let remote = try #require(URL(string: "https://media.example/a/b/list.m3u8?Define2=s3cr3t"))
    for row in rows {
      let bytes = try await Self.bytes(of: row.file)
      // Some are media playlists of a master whose variables they import.
      let variables = ["auth": "?auth=s3cr3t", "Define3": "x"]
      do {
        let playlist = try Playlist.parse(bytes, url: remote, variables: variables)
        #expect(row.errorLine == nil, "\(row.file) parses")
        check(playlist, row)
      } catch {
        #expect(error.code == .malformed, "\(row.file)")
        guard let line = row.errorLine else {
          Issue.record("\(row.file) is refused: \(error)")
          continue
        }
        #expect(error.message.contains("line \(line): "), "\(row.file): \(error)")
        #expect(!error.description.contains("s3cr3t"), "\(row.file)")
      }
    }
  }

  private func check(_ playlist: Playlist, _ row: Row) {
    switch playlist {
    case .media(let media):
      #expect(row.kind == "media", "\(row.file)")
      #expect(media.segments.count == row.segments, "\(row.file)")
      let runs = (media.segments.last?.discontinuity ?? 0) - (media.segments[0].discontinuity)
      #expect(runs <= row.discontinuities ?? 0, "\(row.file)")
      let sum = media.segments.reduce(Duration.zero) { $0 + $1.duration }
      #expect(media.duration == sum, "\(row.file)")
      let numbers = media.segments.map(\.mediaSequence)
      #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)), "\(row.file)")
    case .multivariant(let master):
      #expect(row.kind == "multivariant", "\(row.file)")
      #expect(master.variants.count == row.variants, "\(row.file)")
      #expect(master.renditions.count == row.renditions, "\(row.file)")
      #expect(master.iFrameVariants.count == row.iFrameVariants, "\(row.file)")
    }
  }
}
