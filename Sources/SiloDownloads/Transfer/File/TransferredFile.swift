package import SiloSystem

package import struct Foundation.URL

/// A file that arrived whole under its partial name; it stays locked until it is committed or let go.
package struct TransferredFile: Sendable {
  /// Where it is.
  package let partURL: URL
  /// Its length, as the source announced it when it did.
  package let byteCount: Int64
  /// How many bytes came in this run; what came twice, or was of no use, is counted each time.
  package let receivedByteCount: Int64
  /// Its SHA-256 in lower-case hexadecimal digits.
  package let sha256: String
  /// All digests that were computed, in lower-case hexadecimal digits.
  package let digests: [Digest.Algorithm: String]
  /// The head of the last answer.
  package let head: HTTPResponseHead
  private let hold: PartHold

  init(
    hold: PartHold, byteCount: Int64, receivedByteCount: Int64,
    digests: [Digest.Algorithm: String], head: HTTPResponseHead
  ) {
    self.hold = hold
    partURL = URL(filePath: hold.part.path)
    self.byteCount = byteCount
    self.receivedByteCount = receivedByteCount
    self.digests = digests
    sha256 = digests[.sha256] ?? ""
    self.head = head
  }

  /// Gives the file its name and removes the journal; what has the name is replaced, or with `isReplacing` false an error.
  ///
  /// Blocks for the sync of a folder.
  ///
  /// - Throws: `DownloadError` when it cannot be renamed; the partial file is still there then.
  package func commit(to url: URL, isReplacing: Bool = true) throws {
    do {
      try AtomicFile.renameDurably(
        hold.part.path, to: url.path(percentEncoded: false), isReplacing: isReplacing)
      TransferJournal.remove(hold.part.journalPath)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
  }

  /// Removes the partial file and its journal: what arrived turned out to be useless, or is not needed any more.
  package func discard() {
    AtomicFile.remove(hold.part.path)
    TransferJournal.remove(hold.part.journalPath)
  }
}
