import Testing

@testable import SiloMedia

@Suite struct TimelineTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `A folded clock is taken where it lies nearest`() {
    let period = ClockFold.period
    let rows: [(raw: Int64, reference: Int64, time: Int64)] = [
      (0, 0, 0), (5, period - 5, period + 5), (period - 5, 5, -5),
      (period - 5, period + 5, period - 5), (100, 3 * period, 3 * period + 100),
      (period / 2 - 1, 0, period / 2 - 1), (period - 1, 5 * period, 5 * period - 1),
    ]
    for row in rows { #expect(ClockFold.unfolded(row.raw, near: row.reference) == row.time) }
  }

  @Test func `The first run starts at zero and keeps the offsets of its tracks`() {
    var timeline = Timeline()
    timeline.beginRun(.init(video: 10 * Self.second, other: 10_479_000_000, planned: 0))
    #expect(timeline.time(ofRaw: 10 * Self.second) == 0)
    #expect(timeline.time(ofRaw: 10_479_000_000) == 479_000_000)
  }

  @Test func `A run begins where the pictures of the one before ended, whatever its raw clock`() {
    for raw in [0, 4, 17, 90_000] as [Int64] {
      var timeline = Timeline()
      timeline.beginRun(.init(video: 10 * Self.second, other: 10 * Self.second, planned: 0))
      timeline.note(end: 4 * Self.second, isVideo: true)
      timeline.note(end: 3_200_000_000, isVideo: false)
      timeline.beginRun(.init(video: raw * Self.second, other: raw * Self.second + 5, planned: 0))
      #expect(timeline.time(ofRaw: raw * Self.second) == 4 * Self.second)
      #expect(timeline.time(ofRaw: raw * Self.second + 5) == 4 * Self.second + 5)
    }
  }

  @Test func `A run of sound alone begins at the end of everything`() {
    var timeline = Timeline()
    timeline.beginRun(.init(video: nil, other: 7, planned: 0))
    timeline.note(end: 100, isVideo: false)
    timeline.beginRun(.init(video: nil, other: 3, planned: 0))
    #expect(timeline.time(ofRaw: 3) == 100)
  }

  @Test func `Decode times stay in order with the least change`() {
    var repair = TimestampRepair()
    let rows: [(pts: Int64?, dts: Int64?, wantedPTS: Int64, wantedDTS: Int64)] = [
      (2, 0, 2, 0), (4, 1, 4, 1), (3, 1, 3, 2), (3, 0, 3, 3), (nil, 9, 9, 9), (nil, nil, 10, 10),
      (12, nil, 12, 12), (5, 20, 20, 20),
    ]
    for row in rows {
      let found = repair.repaired(presentation: row.pts, decode: row.dts)
      #expect(found.presentation == row.wantedPTS)
      #expect(found.decode == row.wantedDTS)
    }
  }

  @Test func `Packets may share a moment where that is allowed, and go back nowhere`() {
    var repair = TimestampRepair(allowsEqual: true)
    let found = [(0, 0), (1, 1), (1, 1), (2, 2), (1, 1), (nil, nil), (5, 4), (3, 4)].map {
      repair.repaired(presentation: $0, decode: $1)
    }
    #expect(found.map(\.decode) == [0, 1, 1, 2, 2, 3, 4, 4])
    #expect(found.map(\.presentation) == [0, 1, 1, 2, 2, 3, 5, 4])
  }

  @Test func `Texts shown together become one text`() {
    func cue(_ start: Int, _ end: Int, _ text: String) -> TextCue {
      TextCue(
        start: .seconds(start), end: .seconds(end), text: StyledTextReader.read(text, as: .subRip))
    }
    #expect(
      TextCue.flattened([cue(1, 4, "a"), cue(2, 3, "b"), cue(6, 7, "c")])
        == [cue(1, 2, "a"), cue(2, 3, "a\nb"), cue(3, 4, "a"), cue(6, 7, "c")])
  }

  @Test func `Packed audio tells its time in an ID3 tag, in 33 bits`() {
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    let body = owner + [0xFF, 0xFF, 0xFF, 0xFE, 0, 1, 0x5F, 0x90]
    let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    let found = PackedAudioTag(tag + [0xFF, 0xF1])
    #expect(found.byteCount == tag.count)
    #expect(found.time == 90_000)
    #expect(PackedAudioTag([0xFF, 0xF1, 0, 0]).time == nil)
  }
}
