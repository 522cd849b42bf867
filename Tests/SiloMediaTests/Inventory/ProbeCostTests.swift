import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("Cost of a probe over a network") struct ProbeCostTests {
  /// A film of two minutes: far larger than all windows together.
  private static let making = Task {
    let folder = try TemporaryFolder()
    let film =
      "-f lavfi -i testsrc2=s=320x180:r=24:d=120 -f lavfi -i sine=440:d=120:r=48000 "
      + "-f lavfi -i sine=880:d=120:r=48000 -map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast "
      + "-b:v 1500k -c:a ac3 -b:a 192k -metadata:s:a:0 language=eng -metadata:s:a:1 language=tur "
    for rest in [
      "end.mp4", "-movflags +faststart fast.mp4", "plain.mkv",
      "-movflags +frag_keyframe+empty_moov+delay_moov fragments.mp4",
    ] {
      try await Media.make(film + rest, in: folder.path)
    }
    try await runSuccessfully(
      "mkvmerge", ["-q", "-o", "tagged.mkv", "plain.mkv"], in: folder.path)
    return folder
  }

  @Test(
    "few requests and few bytes find every language",
    arguments: [
      ("end.mp4", 4, Int64(1 << 20)), ("fast.mp4", 4, Int64(1 << 20)),
      ("tagged.mkv", 4, Int64(1 << 20)), ("plain.mkv", 4, Int64(1 << 20)),
      ("fragments.mp4", 4, Int64(1 << 20)),
    ])
  func cost(_ name: String, _ requests: Int, _ bytes: Int64) async throws {
    let path = try await Self.making.value.path(name)
    let file = try FileByteSource(URL(fileURLWithPath: path))
    let counting = CountingByteSource(file)
    let inventory = try await MediaInventory.probe(MediaSource(name: name, bytes: counting))
    #expect(inventory.audio.map(\.language?.description) == ["en", "tr"])
    #expect(abs((inventory.duration ?? .zero).components.seconds - 120) <= 1)
    #expect(counting.requestCount <= requests)
    #expect(counting.askedByteCount <= bytes)
    #expect(counting.askedByteCount * 4 < (file.byteCount ?? 0))
    for (index, size) in (inventory.video.map(\.size) + inventory.audio.map(\.size)).enumerated() {
      let truth = Double(try await packetBytes(path, stream: index))
      let allowed: [SizeEstimate.Basis: Double] = [.exact: 0, .measured: 0.1, .declared: 0.4]
      let difference = abs(Double(size.byteCount ?? 0) - truth)
      #expect(difference <= (allowed[size.basis] ?? 1) * truth, "\(name) stream \(index) \(size)")
    }
  }

  /// What is all but silent where the film begins says nothing about the rest of it.
  @Test("sound that begins with silence is looked at further on, within the same cost")
  func silence() async throws {
    let folder = try TemporaryFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=s=320x180:r=24:d=120 -f lavfi -i "
        + "aevalsrc=exprs=if(gt(t\\,9)\\,0.4*random(0)\\,0):d=120:s=48000 -map 0 -map 1 "
        + "-c:v libx264 -preset ultrafast -b:v 400k -c:a libopus -vbr on -b:a 96k late.mkv",
      in: folder.path)
    let file = try FileByteSource(URL(fileURLWithPath: folder.path("late.mkv")))
    let counting = CountingByteSource(file)
    let inventory = try await MediaInventory.probe(MediaSource(name: "late.mkv", bytes: counting))
    let truth = Double(try await packetBytes(folder.path("late.mkv"), stream: 1))
    let size = try #require(inventory.audio.first?.size.byteCount)
    #expect(abs(Double(size) - truth) < 0.4 * truth)
    #expect(counting.requestCount <= 4)
    #expect(counting.askedByteCount <= 1 << 20)
  }

  @Test(
    "sound that is stored sample by sample has its size whatever is read of it",
    arguments: ["plain.avi", "plain.mkv", "plain.mov"])
  func plain(_ name: String) async throws {
    let folder = try TemporaryFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=s=320x180:r=24:d=30 -f lavfi -i sine=440:d=30:r=48000 -map 0 -map 1 "
        + "-c:v libx264 -preset ultrafast -b:v 1500k -c:a pcm_s16le -ac 2 \(name)", in: folder.path)
    let file = try FileByteSource(URL(fileURLWithPath: folder.path(name)))
    let inventory = try await MediaInventory.probe(
      MediaSource(name: name, bytes: CountingByteSource(file)))
    let size = try #require(inventory.audio.first?.size)
    #expect(size.basis <= .measured)
    #expect(abs((size.byteCount ?? 0) - 30 * 48_000 * 4) < 40_000)
  }
}
