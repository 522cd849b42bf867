/// What the headers say of a stream that libav does not.
struct TrackNote {
  /// The language as the container writes it.
  var storedLanguage: String?
  /// The title.
  var title: String?
  /// The bytes of its packets.
  var size = SizeEstimate.unknown
  /// Pictures a second.
  var frameRate: Double?
  /// What it is for, in addition to what libav says.
  var dispositions: Dispositions = []
  /// What it is for, instead of what libav says.
  var exactDispositions: Dispositions?
  /// Whether it only serves chapters or pictures of a cover.
  var isHidden = false
  /// How long it plays.
  var duration: Duration?
  /// Bits a second that the configuration declares.
  var declaredBitsPerSecond: Int?
}
