import Foundation

/// Whether the first word is a source.
enum SourceCheck {
  /// Whether `word` can only be a mistyped command: letters alone, and no such file.
  static func isMistypedCommand(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
      && !FileManager.default.fileExists(atPath: word)
  }
}
