import SiloMedia

/// What the verification of a stored file found.
public struct StoredFileReport: Sendable, Hashable {
  /// Everything that is wrong; empty when the file is what it was.
  public var faults: [StoredFileFault] = []
  /// The checks that passed: `length`, `sha-256` and other algorithms, `structure`.
  public var verified: [String] = []
  /// What could not be checked, and why; no fault of the file.
  public var notes: [String] = []

  mutating func add(_ fault: StoredFileFault) { faults.append(fault) }
}

/// Something that is wrong with a stored file.
public struct StoredFileFault: Sendable, Hashable, CustomStringConvertible {
  /// The class of a fault.
  public enum Kind: String, Sendable, Hashable {
    /// The file is not there.
    case missing
    /// It cannot be read: permissions, a failing disk, a folder in its place.
    case unreadable
    /// It has another length.
    case byteCount
    /// Its bytes are others: a digest differs.
    case digest
    /// Its container is cut, has holes, is damaged, or has other tracks.
    case structure
  }

  /// The class of the fault.
  public var kind: Kind
  /// What is wrong, in one sentence.
  public var message: String
  /// Where in the file, when it is at a place.
  public var offset: Int64?

  init(_ kind: Kind, _ message: String, at offset: Int64? = nil) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }

  init(structure fault: MediaFault) {
    self.init(.structure, fault.message, at: fault.offset)
  }

  /// The message, and the place when there is one.
  public var description: String { offset.map { "\(message) (at byte \($0))" } ?? message }
}
