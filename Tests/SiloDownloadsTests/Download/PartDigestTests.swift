import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite struct PartDigestTests {
  @Test func `It is that of the file, whether it was begun before or not`() async throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    try Data(bytes).write(to: folder.url.appendingPathComponent("film.part"))
    for isBegun in [true, false] {
      let digest = PartDigest(folder.url.appendingPathComponent("film.part"))
      if isBegun { digest.begin() }
      let (byteCount, sha256) = try await digest.value()
      #expect(byteCount == Int64(bytes.count))
      #expect(try sha256 == Digest.hex(of: bytes))
    }
  }

  @Test func `One of a file that is not there says so`() async throws {
    let folder = try TemporaryFolder()
    let digest = PartDigest(folder.url.appendingPathComponent("none.part"))
    digest.begin()
    await #expect(throws: SystemCallError.self) { try await digest.value() }
  }
}
