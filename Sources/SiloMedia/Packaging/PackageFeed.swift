/// Something that packets of one input come from, run by run.
protocol PackageFeed: AnyObject {
  /// The tracks of the plan that it feeds.
  var tracks: [Int] { get }
  /// How many packets a track of the plan will give, and the bytes of the whole input.
  func expected(of track: Int) -> (packets: ExpectedPackets, inputByteCount: Int64)
  /// Goes to the start of a run and reads so far ahead that the first times of its tracks are known.
  func beginRun(_ run: Int, clock: inout RunClock) throws
  /// What is known of the first raw times of the run.
  func runStart() -> Timeline.RunStart
  /// Learns how the run lies in the file.
  func map(_ timeline: Timeline, clock: RunClock) throws
  /// The next packet, which stays; `nil` at the end of the run.
  func peek() throws -> HeldPacket?
  /// Takes the next packet away.
  func drop()
  /// What was lost of the looks of texts so far, by track.
  var textLosses: [Int: Set<StyledText.Loss>] { get }
}

/// The common moment of a run that the clocks of its inputs are unfolded against.
struct RunClock: Hashable, Sendable {
  /// A raw 90 kHz time of the first input that has one.
  var anchor: Int64?
  /// The playlist's time at which the anchor was seen.
  var anchorStart: Duration = .zero

  /// The raw 90 kHz time that is expected at a time of the playlist; `nil` when nothing is known.
  func expected(at start: Duration) -> Int64? {
    anchor.map { $0 + TimeBase(1, 90_000).ticks(ofNanoseconds: (start - anchorStart).nanoseconds) }
  }
}
