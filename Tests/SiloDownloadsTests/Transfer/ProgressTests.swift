import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite struct TransferMeterTests {
  @Test func `the rate is that of the last five seconds`() throws {
    // What is there before, then what comes: bytes a second for so long, in steps of 50 ms.
    let rows: [(before: Int64, pieces: [(Double, Double)], rate: ClosedRange<Double>)] = [
      (0, [(1e6, 20)], 0.98e6...1.02e6),
      (0, [(10e6, 10), (1e6, 6)], 0.98e6...1.02e6),
      (0, [(1e6, 10), (10e6, 5.2)], 9.8e6...10.2e6),
      // A full token bucket at the start: 10 MB in the first 0.2 s.
      (0, [(50e6, 0.2), (10e6, 1.3)], 9.8e6...10.2e6),
      (0, [(50e6, 0.2), (10e6, 20)], 9.8e6...10.2e6),
      // What an earlier run left.
      (5_000_000_000, [(1e6, 2)], 0.98e6...1.02e6),
    ]
    for row in rows {
      var meter = TransferMeter(total: 10_000_000_000)
      var bytes = Double(row.before)
      var time = 0.0
      var last = meter.progress(bytes: row.before, total: nil, at: .zero)
      #expect(last.bytesPerSecond == nil && last.remaining == nil)
      for (rate, seconds) in row.pieces {
        for _ in 0..<Int((seconds / 0.05).rounded()) {
          time += 0.05
          bytes += rate * 0.05
          last = meter.progress(bytes: Int64(bytes), total: nil, at: .seconds(time))
        }
      }
      let found = try #require(last.bytesPerSecond)
      #expect(row.rate.contains(found), "\(row): \(found)")
      let remaining = try #require(last.remaining).seconds
      #expect(abs(remaining - (1e10 - bytes) / found) < 1)
    }
  }

  @Test func `pieces that come together count from the piece before`() throws {
    var window = RateWindow()
    window.add(0, at: .zero)
    for step in 1...8 { window.add(Int64(step) * 400_000, at: .milliseconds(3000 + step * 25)) }
    #expect(try #require(window.perSecond).rounded() == 1e6)
  }

  @Test func `bytes and total never go back`() {
    var meter = TransferMeter(total: 100)
    _ = meter.progress(bytes: 90, total: nil, at: .zero)
    let next = meter.progress(bytes: 40, total: 80, at: .seconds(1))
    #expect(next.bytes == 90 && next.total == 90)
  }
}

@Suite struct SegmentProgressTests {
  private func progress(_ shares: [(bytes: Int64, done: Double, total: Double)]) -> SegmentProgress
  {
    var progress = SegmentProgress()
    for share in shares {
      progress.byteCount += share.bytes
      progress.segmentCount += Int(share.done)
      progress.segmentTotal += Int(share.total)
      progress.shares.append(
        SegmentProgress.Share(
          byteCount: share.bytes, duration: .seconds(share.done),
          durationTotal: .seconds(share.total)))
    }
    return progress
  }

  @Test func `the expected total goes from what was declared to what the segments show`() {
    let rows: [([(bytes: Int64, done: Double, total: Double)], declared: Int64?, Int64?)] = [
      ([(0, 0, 100), (0, 0, 100)], 1_000_000, 1_000_000),
      // A subtitle is here, the film is not: it says nothing.
      ([(881, 50, 100), (0, 0, 100)], 1_000_000, 1_000_000),
      ([(881, 50, 100), (0, 0, 100)], nil, nil),
      // One hundredth is done: it counts by one hundredth.
      ([(100, 1, 100), (20_000, 1, 100)], 1_000_000, 1_010_100),
      ([(5_000, 50, 100), (1_000_000, 50, 100)], 1_000_000, 1_505_000),
      // The subtitle is done, the film half.
      ([(10_000, 100, 100), (1_000_000, 50, 100)], 1_000_000, 1_505_000),
      ([(10_000, 100, 100), (1_000_000, 50, 100)], nil, 2_010_000),
      ([(10_000, 100, 100), (2_000_000, 100, 100)], 1_000_000, 2_010_000),
      // Never less than what is there.
      ([(10_000, 100, 100), (0, 0, 100)], 500, 10_000),
    ]
    for (shares, declared, expected) in rows {
      #expect(progress(shares).expectedByteCount(declared: declared) == expected, "\(shares)")
    }
  }
}

@Suite struct SpoolSyncTests {
  @Test func `a cancelled transfer vouches for what it leaves`() async throws {
    let folder = try TemporaryFolder()
    let spool = try SpoolFile(folder.url.appendingPathComponent("1.spool").path)
    try spool.descriptor.write([1, 2, 3], at: 0)
    let pending = [SpoolSync.Pending(spool: spool, durable: 0, end: 3)]
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await SpoolSync.run(pending, within: .seconds(60), .system)
    }
    #expect(await task.value == [3])
  }
}
