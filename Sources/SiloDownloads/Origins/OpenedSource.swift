import Foundation
import SiloMedia

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

/// One file that was looked into.
struct OpenedFile: Sendable {
  /// Where the file lies.
  enum Place: Sendable, Hashable {
    /// On this machine.
    case local(URL)
    /// Behind a URL, as the user gave it.
    case web(URL)
  }

  /// Where it lies.
  var place: Place
  /// Its bytes.
  var media: MediaSource
  /// What is inside.
  var inventory: MediaInventory
  /// What it calls itself.
  var names: OutputPlace.Names
}

/// An HLS presentation that was looked into.
struct OpenedPresentation: Sendable {
  /// The source without its secrets.
  var source: String
  /// Its playlists.
  var presentation: HLSPresentation
  /// What is inside.
  var inventory: MediaInventory
  /// What it calls itself.
  var names: OutputPlace.Names
  /// What its playlists made one wonder.
  var warnings: [String]
}
