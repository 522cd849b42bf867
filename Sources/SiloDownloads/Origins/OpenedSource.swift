import Foundation
import SiloMedia
import SiloSystem

/// A source that was looked into, ready for selection and transfer.
enum OpenedSource: Sendable {
  /// One file.
  case file(OpenedFile)
  /// An HLS presentation.
  case presentation(OpenedPresentation)

  /// What is inside.
  var inventory: MediaInventory {
    switch self {
    case .file(let file): file.inventory
    case .presentation(let opened): opened.inventory
    }
  }

  /// The file that it is, when it is here.
  var localFile: URL? {
    if case .file(let file) = self, case .local(let url) = file.place { url } else { nil }
  }

  /// What the source calls itself.
  var names: OutputPlace.Names {
    switch self {
    case .file(let file): file.names
    case .presentation(let opened): opened.names
    }
  }

  /// What the user should be told.
  var warnings: [String] {
    switch self {
    case .file: []
    case .presentation(let opened): opened.warnings
    }
  }
}

/// A file whose server gives no byte ranges, so that it has to be fetched before its index can be read.
struct UnseenFile: Error, Sendable {
  /// Where it is, as the user gave it.
  var url: URL
  /// Its length, when the server tells it.
  var byteCount: Int64?
  /// What it calls itself.
  var names: OutputPlace.Names

  /// What to tell who wanted to look only.
  var refusal: DownloadError {
    DownloadError(
      .unavailable,
      "the server gives no byte ranges, so it cannot be looked into before it is fetched; `get` does both",
      subject: Redaction.text(of: url))
  }
}

/// One file that was looked into.
struct OpenedFile: Sendable {
  /// Where the file lies.
  enum Place: Sendable {
    /// On this machine.
    case local(URL)
    /// Behind a URL, as the user gave it.
    case web(URL)
    /// Fetched from that URL already, since its server lets nobody look inside before.
    case fetched(URL, TransferredFile)
  }

  /// Where it lies.
  var place: Place
  /// What is inside.
  var inventory: MediaInventory
  /// What it calls itself.
  var names: OutputPlace.Names
  /// What a rerun should know; `nil` when that is noted, or of no use.
  var look: SourceLook?
}

/// An HLS presentation that was looked into.
struct OpenedPresentation: Sendable {
  /// The source without its secrets.
  var source: String
  /// The variables of its multivariant playlist, for playlists that are read again.
  var variables: [String: String]
  /// Its playlists.
  var presentation: HLSPresentation
  /// What is inside.
  var inventory: MediaInventory
  /// What it calls itself.
  var names: OutputPlace.Names
  /// What its playlists made one wonder.
  var warnings: [String]
  /// The segments that are here already.
  var fetched: FetchedSegments
}
