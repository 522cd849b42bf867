import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloMedia

@Suite("Input context") struct InputContextTests {
  /// A source that fails from an offset on.
  private struct Broken: ByteSource {
    struct Failure: Error, Equatable {}
    let inner: any ByteSource
    let from: Int64
    var byteCount: Int64? { inner.byteCount }
    func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
      if offset >= from { throw Failure() }
      return try inner.read(at: offset, into: &buffer)
    }
  }

  @Test("every packet is read and the end is a value")
  func reads() async throws {
    let input = try InputContext.open(try await InventoryFixtures.source("end.mp4"))
    let packet = try PacketBuffer()
    var bytes: [Int: Int64] = [:]
    while try input.readPacket(into: packet) {
      bytes[packet.stream, default: 0] += Int64(packet.byteCount)
    }
    let path = try await InventoryFixtures.folder.path("end.mp4")
    for stream in 0..<3 { #expect(bytes[stream] == (try await packetBytes(path, stream: stream))) }
    #expect(try !input.readPacket(into: packet))
  }

  @Test("only the kept streams arrive")
  func keeps() async throws {
    let input = try InputContext.open(try await InventoryFixtures.source("plain.mkv"))
    input.keepOnly([2])
    let packet = try PacketBuffer()
    var streams: Set<Int> = []
    while try input.readPacket(into: packet) { streams.insert(packet.stream) }
    #expect(streams == [2])
  }

  @Test("the error of the source comes out, not libav's", arguments: [0, 200_000] as [Int64])
  func sourceError(_ from: Int64) async throws {
    let file = try await InventoryFixtures.source("fast.mp4")
    let broken = MediaSource(name: "broken", bytes: Broken(inner: file.bytes, from: from))
    #expect(throws: Broken.Failure.self) {
      let input = try InputContext.open(
        broken, options: InputOptions(bufferByteCount: 32 << 10))
      let packet = try PacketBuffer()
      while try input.readPacket(into: packet) {}
    }
  }

  @Test("a raised flag ends opening and reading with a cancellation")
  func cancels() async throws {
    let source = try await InventoryFixtures.source("segment.ts")
    let raised = CancellationFlag()
    raised.cancel()
    #expect(throws: CancellationError.self) { _ = try InputContext.open(source, cancel: raised) }
    let flag = CancellationFlag()
    let input = try InputContext.open(
      source, options: InputOptions(bufferByteCount: 4096), cancel: flag)
    let packet = try PacketBuffer()
    flag.cancel()
    #expect(throws: CancellationError.self) { while try input.readPacket(into: packet) {} }
  }

  @Test("a transport stream that turns into something else is damaged")
  func lostSync() async throws {
    let folder = try TemporaryFolder()
    try await Media.make("-f lavfi -i sine=440:d=2 -c:a mp2 a.ts", in: folder.path)
    let bytes = try folder.read("a.ts") + [UInt8](repeating: 0, count: 200_000)
    let padded = MediaSource(name: "x", bytes: bytes)
    let input = try InputContext.open(padded, options: InputOptions(format: "mpegts"))
    let packet = try PacketBuffer()
    let error = #expect(throws: LibavError.self) { while try input.readPacket(into: packet) {} }
    #expect(error?.mediaCode == .corrupt)
  }

  @Test("an option that libav does not take is an error")
  func unknownOption() async throws {
    let source = try await InventoryFixtures.source("end.mp4")
    let error = #expect(throws: MediaError.self) {
      _ = try InputContext.open(source, options: InputOptions(options: ["no_such": "1"]))
    }
    #expect(error?.code == .usage)
  }

  @Test("a playlist is never opened by libav")
  func playlist() throws {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
    #expect(throws: LibavError.self) {
      _ = try InputContext.open(MediaSource(name: "list", bytes: Array(text.utf8)))
    }
  }

  @Test("a failed call keeps libav's last lines and its words")
  func logLines() throws {
    let error = #expect(throws: LibavError.self) {
      _ = try InputContext.open(
        MediaSource(name: "x", bytes: [UInt8](repeating: 1, count: 4096)),
        options: InputOptions(format: "matroska"))
    }
    #expect(error?.logLines.isEmpty == false)
    #expect(error?.reason.isEmpty == false)
  }
}
