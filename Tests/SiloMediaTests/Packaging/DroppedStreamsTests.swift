import Foundation
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloMedia

@Suite("Dropped streams")
struct DroppedStreamsTests {
  @Test("cover pictures and attachments that the new file will not have are told, once and by name")
  func told() async throws {
    let folder = try TemporaryFolder()
    try folder.write("Sans\u{1b}.ttf", "no font")
    try await Media.make(
      "-f lavfi -i sine=440:d=1 -f lavfi -i testsrc2=s=64x64:d=0.04 -map 0 -map 1 -c:a aac "
        + "-c:v mjpeg -disposition:v:0 attached_pic cover.mp4", in: folder.path)
    try await Media.make(
      "-f lavfi -i sine=440:d=1 -c:a aac -attach Sans\u{1b}.ttf -metadata:s:t mimetype=font/ttf fonts.mkv",
      in: folder.path)
    let rows: [(String, [String])] = [
      ("cover.mp4", ["cover picture"]), ("fonts.mkv", ["attachment (Sans\\u{1b}.ttf)"]),
    ]
    for (name, parts) in rows {
      let track = PackageTrack(id: TrackID(.audio, 0), input: 0, ordinal: 0, isDefault: true)
      let plan = PackagePlan(
        inputs: [.file(try .file(URL(filePath: folder.path(name))))], tracks: [track],
        container: .mkv)
      let warnings = Mutex<[String]>([])
      _ = try await plan.write(
        to: URL(filePath: folder.path("out.mkv")),
        warning: { text in
          warnings.withLock { $0.append(text) }
        })
      let told = warnings.withLock { $0 }
      #expect(told.count == parts.count, "\(told)")
      for (text, part) in zip(told, parts) { #expect(text.contains(part), "\(text)") }
    }
  }
}
