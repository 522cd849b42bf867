import SiloMedia

import struct Foundation.URL

/// How far one rendition's spool is, and what waits to be appended to it.
struct RenditionProgress: Sendable {
  let plan: SpoolPlan
  let spool: SpoolFile
  let id: Int64
  /// The requests for what is missing.
  let jobs: [SpoolJob]
  /// Where the parts lie that are in the spool.
  private(set) var ranges: [Range<Int64>]
  /// Parts whose blocks were given back, with the digest that they must have when they are fetched again.
  private(set) var missing: [Int: [UInt8]]
  private var publishedCount = 0
  /// The next request to be sent.
  private(set) var nextJob = 0
  /// The request whose parts are appended next.
  private(set) var headJob = 0
  /// Parts that came before their turn, by request.
  private(set) var held: [Int: [ProvenPart]] = [:]
  /// Where the parts lie, for whoever reads them meanwhile.
  let table: SpoolTable
  /// Bytes up to which the spool was synced.
  var durable: Int64

  init(
    plan: SpoolPlan, spool: SpoolFile, id: Int64, rows: [SpoolJournal.Row], durable: Int64
  ) throws {
    self.plan = plan
    self.spool = spool
    self.id = id
    ranges = rows.map(\.bytes)
    missing = Dictionary(
      uniqueKeysWithValues: rows.indices.filter { rows[$0].isFreed }.map { ($0, rows[$0].digest) })
    self.durable = durable
    jobs = plan.jobs(
      of: missing.keys.sorted() + Array(rows.count..<max(rows.count, plan.parts.count)))
    table = try SpoolTable(partCount: plan.parts.count)
    publish()
  }

  /// The end of the spool.
  var end: Int64 { ranges.last?.upperBound ?? 0 }
  /// What is to be synced.
  var pending: SpoolSync.Pending {
    SpoolSync.Pending(spool: spool, durable: durable, end: settledEnd)
  }
  /// The end of what lies in the spool without a hole.
  var settledEnd: Int64 { missing.keys.min().map { ranges[$0].lowerBound } ?? end }
  /// How many requests the furthest is ahead of the one that is appended next.
  var lead: Int { nextJob - headJob }
  /// The requests that bring segments, not only an init section.
  var segmentJobCount: Int { jobs.count { plan.hasSegment($0) } }
  /// Where in the playlist the next request is; `nil` when all were sent.
  var nextStart: Duration? {
    nextJob < jobs.count ? plan.parts[jobs[nextJob].parts.lowerBound].start : nil
  }

  /// Takes the next request.
  mutating func takeJob() -> Int {
    defer { nextJob += 1 }
    return nextJob
  }

  /// Keeps what a request brought until it is its turn.
  mutating func hold(_ parts: [ProvenPart], of job: Int) { held[job] = parts }

  /// The parts whose turn it is; `nil` when they are not here yet.
  mutating func takeHead() -> [ProvenPart]? {
    guard let parts = held.removeValue(forKey: headJob) else { return nil }
    headJob += 1
    return parts
  }

  /// Notes that `byteCount` bytes were appended; returns where.
  ///
  /// Readers are told by `publish`.
  mutating func append(_ byteCount: Int) -> Range<Int64> {
    let range = end..<(end + Int64(byteCount))
    ranges.append(range)
    return range
  }

  /// Notes that a part that had been given back is there again.
  mutating func settle(_ part: Int) { missing[part] = nil }

  /// Lets readers have what is there.
  mutating func publish() {
    while publishedCount < ranges.count, missing[publishedCount] == nil {
      table.append(ranges[publishedCount])
      publishedCount += 1
    }
  }

  /// The spool for packaging: its table fills while parts are appended.
  var input: RenditionInput {
    let segments = plan.parts.enumerated().compactMap { index, part in
      part.segment.map { plan.segments[$0] }.map { segment in
        RenditionInput.Segment(
          part: index, initPart: part.initPart, discontinuity: segment.discontinuity,
          mediaSequence: segment.mediaSequence, start: segment.start, duration: segment.duration)
      }
    }
    return RenditionInput(
      url: URL(filePath: spool.path), form: plan.form, segments: segments, table: table)
  }
}
