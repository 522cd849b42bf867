import Foundation

/// A name that every file system a media library lives on accepts: ext4, NTFS, exFAT, SMB shares.
///
/// What comes from servers, playlists and URLs passes through here before it becomes part of a path.
public struct FileName: Hashable, Sendable, CustomStringConvertible {
  /// The longest name of a side file is so many bytes longer than the name that it belongs to.
  ///
  /// It is that of the journal of SQLite beside the journal of a download.
  static let sideFileByteCount = ".source.part.journal-journal".utf8.count

  /// The longest name in UTF-8 bytes where a folder takes the usual 255.
  static let byteLimit = byteLimit(inFolderOf: 255)

  /// The longest name in UTF-8 bytes that leaves room for the side files in a folder that takes `nameByteLimit`.
  static func byteLimit(inFolderOf nameByteLimit: Int) -> Int {
    max(16, nameByteLimit - sideFileByteCount)
  }

  /// The safe name; never empty, never `.` or `..`, without a path separator.
  public let description: String

  /// What a source without any usable name is called.
  static let unnamed = FileName(verbatim: "download")

  private init(verbatim: String) { description = verbatim }

  /// The safe form of `text` where names may be as long as usual, or `nil` when nothing of it is left.
  public init?(_ text: String) { self.init(text, byteLimit: Self.byteLimit) }

  /// The safe form of `text` in at most `byteLimit` bytes of UTF-8, or `nil` when nothing of it is left.
  ///
  /// Separators and `:` `|` become `-`; control characters, marks that turn text round and `<>"?*` are dropped, Windows
  /// device names get an underscore; the text is NFC and cut between graphemes so that stem and suffix fit.
  init?(_ text: String, byteLimit: Int) {
    if Self.isPlain(text), text.utf8.count <= byteLimit {
      description = text
      return
    }
    var kept = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "/", "\\", ":", "|": kept.unicodeScalars.append("-")
      case "<", ">", "\"", "?", "*": continue
      case _ where Self.isInvisible(scalar): continue
      default: kept.unicodeScalars.append(scalar)
      }
    }
    // Composed last: what was dropped may have stood between a letter and its accent.
    let trimmed = Self.trimmed(kept.precomposedStringWithCanonicalMapping)
    guard !trimmed.isEmpty else { return nil }
    description = Self.cut(Self.avoidingDeviceNames(trimmed), to: byteLimit)
  }

  /// The name without its suffix: `film` of `film.mkv`.
  public var stem: String { Self.split(description).stem }

  /// The suffix without its dot, lower-case: `mkv`; empty when there is none.
  public var suffix: String { Self.split(description).suffix.lowercased() }

  /// The same stem with another suffix.
  public func withSuffix(_ suffix: String) -> FileName {
    FileName("\(stem).\(suffix)") ?? self
  }

  /// The same name, cut to at most `byteLimit` bytes of UTF-8.
  func fitting(_ byteLimit: Int) -> FileName {
    FileName(description, byteLimit: byteLimit) ?? self
  }

  /// Whether `text` is plainly a safe name as it is: a list of ten thousand names has hardly any other.
  ///
  /// Letters, digits and brackets of ASCII with single `-`, `_`, `.` and spaces between them, and too long for a device.
  private static func isPlain(_ text: String) -> Bool {
    var (letterCount, isBetween) = (0, true)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "("), UInt8(ascii: ")"):
        (letterCount, isBetween) = (letterCount + 1, false)
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "):
        // Two in a row are looked at closely; so is what could be a device's name with a suffix.
        if isBetween || (byte == UInt8(ascii: ".") && letterCount <= 6) { return false }
        isBetween = true
      default: return false
      }
    }
    return letterCount > 6 && !isBetween
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
    let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: true)
    let whole = words.map { String($0) }.joined(separator: " ").unicodeScalars
    // A joiner joins nothing at either end; alone it would be a name that nobody sees.
    let isLoose: (Unicode.Scalar) -> Bool = { [".", " ", "\u{200C}", "\u{200D}"].contains($0) }
    // A mark with no letter before it would join the slash of the path.
    let isMark: (Unicode.Scalar) -> Bool = {
      [.nonspacingMark, .spacingMark, .enclosingMark].contains($0.properties.generalCategory)
    }
    guard let first = whole.firstIndex(where: { !isLoose($0) && !isMark($0) }),
      let last = whole.lastIndex(where: { !isLoose($0) })
    else { return "" }
    return String(whole[first...last])
  }

  /// With an underscore before what Windows and SMB take for a device, whatever its suffix.
  private static func avoidingDeviceNames(_ name: String) -> String {
    let start = name.unicodeScalars.prefix { $0 != "." }
    let stem = String(start).trimmingCharacters(in: .whitespaces).uppercased()
    // Windows reads the superscripts as the digits.
    let isNumbered =
      ["COM", "LPT"].contains { stem.hasPrefix($0) && stem.count == 4 }
      && (stem.last.map { "0123456789¹²³".contains($0) } ?? false)
    let isNamed = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem)
    return isNamed || isNumbered ? "_" + name : name
  }

  private static func cut(_ name: String, to byteLimit: Int) -> String {
    guard name.utf8.count > byteLimit else { return name }
    let (stem, suffix) = split(name)
    let tail = suffix.isEmpty ? "" : "." + suffix
    let room = byteLimit - tail.utf8.count
    var kept = prefix(stem.lazy.map { String($0) }, ofByteCount: room)
    // One grapheme of any number of marks may be longer than every name.
    if kept.isEmpty {
      kept = prefix(stem.unicodeScalars.lazy.map { String($0) }, ofByteCount: room)
    }
    let whole = trimmed(kept)
    return (whole.isEmpty ? "_" : whole) + tail
  }

  /// The longest beginning of the joined `pieces` within `room` bytes that ends between two of them.
  private static func prefix(_ pieces: some Sequence<String>, ofByteCount room: Int) -> String {
    var room = room
    var kept = ""
    for piece in pieces {
      room -= piece.utf8.count
      guard room >= 0 else { break }
      kept += piece
    }
    return kept
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
