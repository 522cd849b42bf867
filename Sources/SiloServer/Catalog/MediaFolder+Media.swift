/// A media file of the folder by its place in it.
struct MediaEntry: Hashable, Sendable {
  /// The folders and the file's name.
  var components: [String]
  /// The components joined by slashes.
  var name: String { components.joined(separator: "/") }
}

extension MediaFolder {
  /// The deepest folder that is looked into, and the most files that are listed: folders come from outside, too.
  private static let deepest = 16
  private static let most = 50_000

  /// Every media file below the folder, in the order of names.
  func mediaFiles() -> [MediaEntry] {
    var found: [MediaEntry] = []
    collect([], into: &found)
    return found
  }

  private func collect(_ components: [String], into found: inout [MediaEntry]) {
    guard components.count < Self.deepest else { return }
    for (name, isFolder) in names(in: components) where found.count < Self.most {
      if isFolder {
        collect(components + [name], into: &found)
      } else if MediaType.isMedia(name) {
        found.append(MediaEntry(components: components + [name]))
      }
    }
  }

  /// Opens the media file that `components` name: exactly, or without the extension, where the first in the order
  /// of names counts.
  func openMedia(_ components: [String]) -> (entry: MediaEntry, file: OpenFile)? {
    guard let last = components.last else { return nil }
    if MediaType.isMedia(last), let file = open(components) {
      return (MediaEntry(components: components), file)
    }
    let folder = Array(components.dropLast())
    let candidate = names(in: folder).first { name, isFolder in
      !isFolder && MediaType.isMedia(name) && MediaType.stem(of: name) == last
    }
    guard let candidate, let file = open(folder + [candidate.name]) else { return nil }
    return (MediaEntry(components: folder + [candidate.name]), file)
  }
}
