import SiloDownloads

/// One source of a run of `get`.
struct GetItem: Sendable, Hashable {
  /// Its name in events: the position among the sources, from 1.
  var id: String
  /// The source as given.
  var source: String
  /// What it is called in lines for people; `nil` is the last part of the source.
  var name: String?

  // The same item may have got a better name meanwhile.
  static func == (one: GetItem, other: GetItem) -> Bool {
    (one.id, one.source) == (other.id, other.source)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How an item ended.
enum GetOutcome: Sendable {
  /// The file is there.
  case finished(FinishedDownload)
  /// It was there before.
  case skipped
  /// The user paused or gave it up meanwhile; the name of its state.
  case withdrawn(String)
  /// Looked at only.
  case inspected
  /// It failed.
  case failed(Failure)
}

/// Who is told what happens during `get`; called from any thread.
protocol GetReport: Sendable {
  /// Something happened to a running item.
  func event(_ event: DownloadEvent, of item: GetItem)
  /// An item ended.
  func ended(_ outcome: GetOutcome, of item: GetItem)
  /// Something the user should be told that belongs to no item.
  func warning(_ text: String)
  /// Something that the user asked for besides failed: told however quiet the run is.
  func failing(_ text: String)
  /// A request is sent again; `words` follow "retrying".
  func retrying(_ words: String)
  /// Everything ended.
  func summary(finished: Int, skipped: Int, failed: Int)
}
