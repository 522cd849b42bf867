import Foundation
import SiloDownloads
import SiloMedia
import Synchronization
import Testing

/// Answers requests for segments from memory, and records them.
final class ScriptedFetcher: SegmentFetching {
  typealias Script =
    @Sendable (_ path: String, _ range: Range<Int64>?, _ n: Int) async throws -> [UInt8]

  private let script: Script
  private let seen = Mutex<[String]>([])

  init(_ script: @escaping Script) { self.script = script }

  /// The path of every request so far, with its range.
  var requests: [String] { seen.withLock { $0 } }

  func fetch(_ url: URL, range: Range<Int64>?, purpose: HTTPRequest.Purpose) async throws -> [UInt8]
  {
    let path = url.path()
    let name = path + (range.map { " \($0.lowerBound)-\($0.upperBound)" } ?? "")
    let n = seen.withLock { seen in
      seen.append(name)
      return seen.count { $0 == name }
    }
    return try await script(path, range, n)
  }
}

/// Segments made of nothing but valid packets, each telling its number.
enum SampleSegments {
  /// The bytes of a transport stream segment; 1,880 or more, never two alike.
  static func stream(_ path: String, packets: Int = 10) -> [UInt8] {
    var state = path.utf8.reduce(UInt32(17)) { $0 &* 31 &+ UInt32($1) }
    return (0..<packets).flatMap { _ -> [UInt8] in
      [0x47]
        + (1..<188).map { _ in
          state = state &* 1_664_525 &+ 1_013_904_223
          return UInt8(truncatingIfNeeded: state >> 24)
        }
    }
  }

  /// A playlist of `count` segments of 2 s, with more tags in front of the n-th where given.
  static func playlist(
    _ name: String, _ count: Int, first: Int = 0, tags: [Int: String] = [:]
  ) throws -> MediaPlaylist {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
    for index in first..<(first + count) {
      if let tag = tags[index] { text += tag + "\n" }
      text += "#EXTINF:2,\n\(name)\(index).ts?token=\(UInt32.random(in: 0...9999))\n"
    }
    return try parse(text + "#EXT-X-ENDLIST\n")
  }

  static func parse(_ text: String) throws -> MediaPlaylist {
    guard
      case .media(let playlist) = try Playlist.parse(
        Array(text.utf8), url: #require(URL(string: "http://media.test/film/list.m3u8")))
    else { throw CocoaError(.fileReadCorruptFile) }
    return playlist
  }
}
