import SiloSystem

/// The download of a server that a source is: what tells its bytes from those of every other row, and every other revision.
///
/// An entity tag, a date and a length may agree where the row is another one; this never does.
package struct RegisteredSource: Sendable {
  /// The item as the user named it: `silo:…`.
  package var item: String
  /// The server, account and profile that the row is of, as text that is no secret.
  package var owner: String
  /// The row's id on that server.
  package var row: String
  /// The row's revision.
  package var revision: Int
  /// The length that the server's manifest tells, in bytes; `nil` when it tells none.
  package var expectedByteCount: Int64?
  /// Says, when all bytes are there, whether the row is still the one that they are of.
  ///
  /// - Throws: What ends the download in place of a file of two revisions.
  package var stillHolds: @Sendable () async throws -> Void = {}

  /// The row `row` of `owner`.
  package init(
    item: String, owner: String, row: String, revision: Int, expectedByteCount: Int64? = nil
  ) {
    (self.item, self.owner, self.row) = (item, owner, row)
    (self.revision, self.expectedByteCount) = (revision, expectedByteCount)
  }

  /// What records call it; the same for the same row and revision only.
  package var name: String { "\(rowName) \(revision)" }

  /// What the row is called; the same at every revision.
  package var rowName: String { "\(itemName) \(row)" }

  /// The item of this owner, whichever row it is; what is long or private is a digest.
  private var itemName: String {
    let digest = (try? Digest.hex(of: Array(owner.utf8))) ?? owner
    return "\(item) #\(digest.prefix(16))"
  }

  /// What the names of all rows of the item begin with.
  var anyRow: String { itemName + " " }

  /// Whether a finished file that records call `name` is the same item of the same owner at another revision, or by a row that
  /// is gone: this one takes its place when it is verified.
  package func supersedes(_ name: String) -> Bool {
    name != self.name && name.hasPrefix(anyRow)
  }
}
