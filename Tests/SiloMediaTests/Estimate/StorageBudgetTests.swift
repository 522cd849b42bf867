import SiloMedia
import Testing

@Suite struct StorageBudgetTests {
  /// 700 MiB of pictures, `tr` 100 MiB, `en` 200 MiB, `de` 50 MiB, all in a file of 1,060 MiB.
  private let film: MediaInventory = {
    let mebibyte: Int64 = 1 << 20
    let audio = [("tr", 100), ("en", 200), ("de", 50)].enumerated().map { n, row in
      AudioTrack(
        id: TrackID(.audio, n), place: .stream(n + 1), language: LanguageTag(row.0), codec: "aac",
        size: SizeEstimate(byteCount: Int64(row.1) * mebibyte, basis: .measured))
    }
    return MediaInventory(
      kind: .file, size: SizeEstimate(byteCount: 1060 * mebibyte, basis: .exact),
      video: [
        VideoTrack(
          id: TrackID(.video, 0), place: .stream(0), codec: "h264",
          size: SizeEstimate(byteCount: 700 * mebibyte, basis: .measured))
      ], audio: audio)
  }()

  private func select(_ list: String) throws -> TrackSelection {
    try film.select(TrackWishes(audio: list.isEmpty ? [] : TrackWishes.audioList(list)))
  }

  @Test func `a selection passes up to its limits and not a byte above`() throws {
    let exact: Int64 = 1000 << 20
    let rows: [(StorageBudget, stored: Int64, passes: Bool)] = [
      (StorageBudget(), 0, true), (StorageBudget(maximum: exact), 0, true),
      (StorageBudget(maximum: exact - 1), 0, false), (StorageBudget(free: exact), 0, true),
      (StorageBudget(free: exact, reserve: 1), 0, false),
      (StorageBudget(free: exact, reserve: 1), 1, true),
      (StorageBudget(free: 0), 0, false), (StorageBudget(free: .min, reserve: .max), 0, false),
      (StorageBudget(maximum: 0), 0, false),
    ]
    let selection = try select("en,tr")
    for (budget, stored, passes) in rows {
      let refusal: MediaError?
      do throws(MediaError) {
        try budget.admit(selection, of: film, stored: stored)
        refusal = nil
      } catch {
        refusal = error
      }
      // A budget is the user's word; what the disk has may change.
      let code: MediaError.Code = budget.maximum == nil ? .noSpace : .overBudget
      #expect(refusal?.code == (passes ? nil : code), "\(budget)")
    }
  }

  @Test func `a refusal says what would fit`() throws {
    let selection = try select("tr,en,de")
    let rows: [(Int64, String)] = [
      (900, "This would fit: video + tr + de (850 MiB)."),
      (1020, "This would fit: video + tr + en (1000 MiB)."),
      (820, "This would fit: video + tr (800 MiB)."), (10, "Even video + tr needs 800 MiB."),
    ]
    for (mebibytes, advice) in rows {
      let proposal = BudgetProposal(film, selection: selection, limit: mebibytes << 20)
      #expect(proposal.advice == advice)
    }
    let all = BudgetProposal(film, selection: selection, limit: 900 << 20)
    #expect(
      all.rows.map(\.label) == [
        "video + tr", "video + tr + de", "video + tr + en", "video + tr + en + de",
      ])
    #expect(all.rows.map(\.fits) == [true, true, false, false])
  }

  @Test func `an unknown size passes`() throws {
    var unknown = film
    unknown.video[0].size = .unknown
    let selection = try unknown.select(TrackWishes(audio: TrackWishes.audioList("tr")))
    #expect(selection.size.byteCount == nil)
    try StorageBudget(maximum: 1, free: 1).admit(selection, of: unknown)
  }

  @Test func `the peak counts the download beside the packaged file`() throws {
    let whole = try select("")
    #expect(film.peakBytes(of: whole) == 1060 << 20)
    #expect(film.peakBytes(of: whole, isRepackaged: true) == 2120 << 20)
    #expect(film.peakBytes(of: try select("tr")) == 1860 << 20)
    var stream = film
    stream.kind = .hls
    #expect(stream.peakBytes(of: try select("tr")) == 920 << 20)
    stream.video[0].size = SizeEstimate(byteCount: 10 << 20, basis: .declared)
    stream.audio[0].size = SizeEstimate(byteCount: 1 << 20, basis: .declared)
    let small = try #require(
      stream.select(TrackWishes(audio: TrackWishes.audioList("tr"))).size.byteCount)
    #expect(
      stream.peakBytes(of: try stream.select(TrackWishes(audio: TrackWishes.audioList("tr")))) == 2
        * small)
  }
}
