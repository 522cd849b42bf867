public import struct Foundation.URL

extension SiloSession {
  /// The queue as this account and profile have it: their own items, and those that belong to no account.
  ///
  /// Only such a queue takes items of the server, `silo:ID`.
  ///
  /// - Parameter home: See `DownloadQueue.init`.
  public func queue(home: URL? = nil) -> DownloadQueue {
    var queue = DownloadQueue(home: home)
    queue.owner = account.owner
    return queue
  }
}
