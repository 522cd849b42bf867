import Foundation

/// Whether the first word is a source.
enum SourceCheck {
  /// Whether `word` can only be a mistyped command: letters alone, and no such file.
  static func isMistypedCommand(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
      && !FileManager.default.fileExists(atPath: word)
  }

  /// Refuses an argument that is empty, as a variable of a script that was never set.
  static func requireNames(_ arguments: [String], of command: String) throws(UsageError) {
    guard let place = arguments.firstIndex(of: "") else { return }
    let what = command == "serve" ? "FOLDER" : "SOURCE"
    throw UsageError("\(what) \(place + 1) is empty", command: command)
  }
}
