import Foundation

/// A name that every file system a media library lives on accepts: ext4, NTFS, exFAT, SMB shares.
///
/// What comes from servers, playlists and URLs passes through here before it becomes part of a path.
public struct FileName: Hashable, Sendable, CustomStringConvertible {
  /// The longest name in UTF-8 bytes that leaves room for the side files of a download (`.part.journal`, `.parts`).
  static let byteLimit = 255 - 40

  /// The safe name; never empty, never `.` or `..`, without a path separator.
  public let description: String

  /// What a source without any usable name is called.
  static let unnamed = FileName(verbatim: "download")

  private init(verbatim: String) { description = verbatim }

  /// The safe form of `text`, or `nil` when nothing of it is left.
  ///
  /// Separators, control characters and `<>:"|?*` become spaces or are dropped, Windows device names get an
  /// underscore, the text is NFC and cut between graphemes so that stem and suffix fit into a name.
  public init?(_ text: String) {
    let folded = text.precomposedStringWithCanonicalMapping
    var kept = ""
    for scalar in folded.unicodeScalars {
      switch scalar {
      case "/", "\\", ":", "|": kept.unicodeScalars.append("-")
      case "<", ">", "\"", "?", "*": continue
      case _ where Self.isInvisible(scalar): continue
      default: kept.unicodeScalars.append(scalar)
      }
    }
    let trimmed = Self.trimmed(kept)
    guard !trimmed.isEmpty else { return nil }
    description = Self.cut(Self.avoidingDeviceNames(trimmed))
  }

  /// The name without its suffix: `film` of `film.mkv`.
  public var stem: String { Self.split(description).stem }

  /// The suffix without its dot, lower-case: `mkv`; empty when there is none.
  public var suffix: String { Self.split(description).suffix.lowercased() }

  /// The same stem with another suffix.
  public func withSuffix(_ suffix: String) -> FileName {
    FileName("\(stem).\(suffix)") ?? self
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      // The joiners are letters' business in Indic and Arabic scripts and in emoji.
      scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  /// Without spaces around it, and without the dots that hide a file or that Windows drops.
  private static func trimmed(_ text: String) -> String {
    var slice = Substring(
      text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " "))
    while let first = slice.first, first == "." || first == " " { slice.removeFirst() }
    while let last = slice.last, last == "." || last == " " { slice.removeLast() }
    return String(slice)
  }

  private static func avoidingDeviceNames(_ name: String) -> String {
    let stem = name.prefix { $0 != "." }.uppercased()
    let numbered =
      ["COM", "LPT"].contains { stem.hasPrefix($0) && stem.count == 4 }
      && (stem.last?.isNumber ?? false)
    return ["CON", "PRN", "AUX", "NUL"].contains(stem) || numbered ? "_" + name : name
  }

  private static func cut(_ name: String) -> String {
    guard name.utf8.count > byteLimit else { return name }
    let (stem, suffix) = split(name)
    let tail = suffix.isEmpty ? "" : "." + suffix
    var room = byteLimit - tail.utf8.count
    var kept = ""
    for character in stem {
      room -= character.utf8.count
      guard room >= 0 else { break }
      kept.append(character)
    }
    return trimmed(kept) + tail
  }

  /// The parts of a name around its last dot; only a short suffix of letters and digits is one.
  private static func split(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
    let suffix = name[name.index(after: dot)...]
    guard (1...8).contains(suffix.utf8.count),
      suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return (name, "") }
    return (String(name[..<dot]), String(suffix))
  }
}
