import Foundation
import SiloTestSupport

@testable import SiloMedia

/// Segments that ffmpeg made, as a spool.
struct SpooledRendition {
  private var bytes: [UInt8] = []
  private var segments: [RenditionSpool.Segment] = []
  private var start = Duration.zero

  /// Appends the segments of a media playlist as a run of its own.
  mutating func append(_ playlist: String, in folder: TemporaryFolder, run: Int = 0) throws {
    let text = String(decoding: try folder.read(playlist), as: UTF8.self)
    var length = Duration.zero
    var initSection: Range<Int64>?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#EXT-X-MAP:URI=\"") {
        initSection = append(try folder.read(String(line.dropFirst(16).dropLast())))
      } else if line.hasPrefix("#EXTINF:") {
        let number = line.dropFirst(8).prefix { $0 != "," }
        length = .microseconds(Int64((Double(number) ?? 0) * 1_000_000))
      } else if !line.hasPrefix("#") {
        append(
          try folder.read(String(line)), initSection: initSection, run: run, length: length)
      }
    }
  }

  /// Appends one segment.
  mutating func append(
    _ segment: [UInt8], initSection: Range<Int64>? = nil, run: Int = 0, length: Duration
  ) {
    let range = append(segment)
    segments.append(
      .init(
        bytes: range, initSection: initSection, discontinuity: run,
        mediaSequence: segments.count, start: start, duration: length))
    start += length
  }

  private mutating func append(_ more: [UInt8]) -> Range<Int64> {
    let from = Int64(bytes.count)
    bytes += more
    return from..<Int64(bytes.count)
  }

  /// Writes the spool.
  func input(_ name: String, in folder: TemporaryFolder, form: RenditionSpool.Form = .media) throws
    -> PackageInput
  {
    let path = try folder.write(name, bytes)
    return .rendition(
      RenditionSpool(url: URL(fileURLWithPath: path), form: form, segments: segments))
  }

  /// A spool in which nothing is there, and what makes its parts arrive, one at each call; `false` when all did.
  func arriving(_ name: String, in folder: TemporaryFolder, form: RenditionSpool.Form = .media)
    throws -> (input: PackageInput, bringNext: () throws -> Bool)
  {
    let url = URL(fileURLWithPath: try folder.write(name, [UInt8]()))
    let whole = RenditionInput(RenditionSpool(url: url, form: form, segments: segments))
    var input = whole
    input.table = try SpoolTable(partCount: whole.table.partCount)
    let (bytes, table, handle) = (bytes, input.table, try FileHandle(forWritingTo: url))
    var next = 0
    return (
      .arriving(input),
      {
        guard next < whole.table.partCount else { return false }
        let range = try whole.table.range(of: next)
        try handle.write(contentsOf: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        table.append(range)
        next += 1
        return true
      }
    )
  }
}
