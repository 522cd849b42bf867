/// Where the chunks of a track lie: ISO/IEC 14496-12, 8.7 (`stsc`, `stco`, `co64`, `stsz`).
struct MP4SampleMap: Sequence {
  /// Samples that lie one behind the other.
  struct Chunk {
    /// Where they start in the file.
    var offset: Int64
    /// The bytes of all of them.
    var byteCount: Int64
    /// The bytes of the first.
    var firstSampleByteCount: Int64
  }

  private let offsets: ArraySlice<UInt8>
  private let offsetWidth: Int
  private var runs: [(firstChunk: Int, samples: Int)] = []
  private let sizes: ArraySlice<UInt8>
  private let sameSize: Int64
  private let sampleCount: Int

  /// The map of the track; empty when tables are missing, and of `stz2`, which nobody writes.
  init(_ track: MP4Track) {
    let boxes = track.sampleTable?.children ?? []
    let wide = boxes.first { $0.type == "co64" }
    offsetWidth = wide == nil ? 4 : 8
    offsets = (wide ?? boxes.first { $0.type == "stco" })?.payload.dropFirst(8) ?? []
    let size = boxes.first { $0.type == "stsz" }?.payload ?? []
    var cursor = ByteCursor(size.dropFirst(4))
    sameSize = Int64((try? cursor.u32()) ?? 0)
    sampleCount = Int((try? cursor.u32()) ?? 0)
    sizes = size.dropFirst(12)
    if let table = boxes.first(where: { $0.type == "stsc" }) {
      var cursor = ByteCursor(table.payload.dropFirst(8))
      while let first = try? cursor.u32(), let samples = try? cursor.u32(),
        (try? cursor.skip(4)) != nil
      {
        runs.append((Int(first), Int(samples)))
      }
    }
  }

  func makeIterator() -> AnyIterator<Chunk> {
    var places = ByteCursor(offsets)
    var lengths = ByteCursor(sizes)
    var (chunk, run, left) = (0, 0, sampleCount)
    let (runs, same, width) = (runs, sameSize, offsetWidth)
    return AnyIterator {
      guard left > 0, !runs.isEmpty, let place = try? places.number(width) else { return nil }
      chunk += 1
      while run + 1 < runs.count, runs[run + 1].firstChunk <= chunk { run += 1 }
      let count = Swift.min(runs[run].samples, left)
      guard count > 0 else { return nil }
      left -= count
      var found = Chunk(
        offset: Int64(clamping: place),
        byteCount: same.multipliedReportingOverflow(by: Int64(count)).overflow
          ? .max : same * Int64(count), firstSampleByteCount: same)
      if same == 0 {
        for sample in 0..<count {
          guard let size = try? lengths.u32() else { return nil }
          if sample == 0 { found.firstSampleByteCount = Int64(size) }
          found.byteCount += Int64(size)
        }
      }
      return found
    }
  }
}
