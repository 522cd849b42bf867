/// How the segments of all renditions make runs and stretches, as far as what is there tells.
///
/// The playlists tell most of it. What only the bytes tell (a clock that jumps without a tag, init sections that are the same)
/// is taken as usual until they are there: so a layout made early is compared at the end with one made of everything.
struct PackageLayout {
  /// The runs.
  let runs: RunTable
  /// The stretches of each rendition with media, by input.
  let stretches: [Int: [SpoolPart]]
  /// Whether everything was there when it was made.
  let isWhole: Bool

  /// The layout of the renditions of `plan`, each read through its reader.
  init(_ plan: PackagePlan, _ readers: [Int: SpoolReader]) throws {
    // Asked first: what arrives meanwhile may be used, or not.
    isWhole = readers.values.allSatisfy { $0.input.table.isWhole }
    var times: [Int: [Int64?]] = [:]
    for (index, reader) in readers where reader.input.form == .media {
      times[index] = try SegmentClock(reader: reader).times()
    }
    let leader = Self.leader(of: plan, readers)
    runs = RunTable(
      leader: leader.flatMap { readers[$0]?.input.segments } ?? [],
      times: leader.flatMap { times[$0] } ?? [])
    var stretches: [Int: [SpoolPart]] = [:]
    for (index, times) in times {
      guard let reader = readers[index] else { continue }
      let segments = reader.input.segments
      stretches[index] = try SpoolPart.parts(
        of: segments, runs: runs.assignment(of: segments, times: times),
        isSameInit: { try Self.isSame($0, $1, reader) })
    }
    self.stretches = stretches
  }

  /// Whether a file written by one is what the other would write.
  func agrees(with other: PackageLayout) -> Bool {
    runs.runs.map(\.number) == other.runs.runs.map(\.number)
      && runs.runs.map(\.start) == other.runs.runs.map(\.start) && stretches == other.stretches
  }

  /// The rendition whose discontinuities count: that of the pictures, else the first with segments of media.
  private static func leader(of plan: PackagePlan, _ readers: [Int: SpoolReader]) -> Int? {
    let order = plan.tracks.filter { $0.id.kind == .video } + plan.tracks
    return order.first { readers[$0.input]?.input.form == .media }?.input
  }

  private static func isSame(_ a: Int, _ b: Int, _ reader: SpoolReader) throws -> Bool {
    guard let one = reader.knownByteCount(of: a), one == reader.knownByteCount(of: b) else {
      return false
    }
    return try reader.bytes(of: a) == reader.bytes(of: b)
  }
}

extension SpoolReader {
  /// Readers of all renditions of `plan`, by input.
  static func readers(of plan: PackagePlan) throws -> [Int: SpoolReader] {
    var readers: [Int: SpoolReader] = [:]
    for track in plan.tracks where plan.inputs.indices.contains(track.input) {
      guard readers[track.input] == nil else { continue }
      switch plan.inputs[track.input] {
      case .file: break
      case .rendition(let spool): readers[track.input] = try SpoolReader(RenditionInput(spool))
      case .arriving(let input): readers[track.input] = try SpoolReader(input)
      }
    }
    return readers
  }
}
