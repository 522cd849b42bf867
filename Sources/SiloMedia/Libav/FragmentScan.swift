import SiloSystem

/// What one pass over a file learns for cutting it: the times and sizes of all packets, and the text of subtitles.
struct FragmentScan: Sendable {
  var streams: [StreamFacts]
  var chapters: [Chapter]
  /// By stream.
  var indexes: [Int: PacketIndex]
  /// The payloads of text subtitles, by stream.
  var texts: [Int: [[UInt8]]]

  /// The most text that is kept: subtitles of a long film are below one megabyte.
  private static let textLimit = 64 << 20

  /// Reads all of `source`, on the calling thread.
  ///
  /// `isWanted` chooses the streams that are indexed.
  static func run(
    _ source: MediaSource, isWanted: (StreamFacts) -> Bool, isText: (StreamFacts) -> Bool,
    cancel: CancellationFlag
  ) throws -> FragmentScan {
    let input = try InputContext.open(source, cancel: cancel)
    var scan = FragmentScan(
      streams: input.streams, chapters: input.chapters, indexes: [:], texts: [:])
    for facts in scan.streams where isWanted(facts) {
      scan.indexes[facts.index] = PacketIndex(timeBase: facts.timeBase, packets: [])
      if isText(facts) { scan.texts[facts.index] = [] }
    }
    input.keepOnly(scan.indexes.keys)
    let packet = try PacketBuffer()
    var textBytes = 0
    while try input.readPacket(into: packet) {
      scan.indexes[packet.stream]?.append(
        presentationTime: packet.presentationTime, decodeTime: packet.decodeTime,
        duration: packet.duration, byteCount: packet.byteCount, isKey: packet.isKey)
      guard scan.texts[packet.stream] != nil else { continue }
      textBytes += packet.byteCount
      guard textBytes <= textLimit else {
        throw MediaError(
          .corrupt, "The subtitles of this file are larger than any film's.", subject: source.name)
      }
      scan.texts[packet.stream]?.append(packet.withBytes { Array($0) })
    }
    for stream in scan.indexes.keys { scan.indexes[stream]?.settle() }
    return scan
  }
}
