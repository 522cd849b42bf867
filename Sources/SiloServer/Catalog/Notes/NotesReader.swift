import Foundation
import FoundationXML

/// Why an NFO file is passed over.
struct NotesFlaw: Error, Hashable, Sendable {
  /// What is wrong, for a warning.
  let reason: String
}

/// Reads NFO files as Kodi and Jellyfin write them.
///
/// A file may hold several elements side by side (one for each episode of the media), and a web address behind them. Document
/// types and entities of the file's own are refused, so that nothing grows or is fetched.
enum NotesReader {
  /// The longest file that is read.
  static let byteLimit = 1 << 20
  private static let mostElements = 100

  /// The notes in `bytes`, in their order; empty when there is none of a kind that is known.
  static func read(_ bytes: [UInt8]) throws(NotesFlaw) -> [MediaNotes] {
    guard bytes.count <= byteLimit else { throw NotesFlaw(reason: "it is larger than 1 MiB") }
    guard let text = NotesText.decoded(bytes) else {
      throw NotesFlaw(reason: "its encoding cannot be told")
    }
    guard let start = text.firstIndex(of: "<") else { return [] }
    var body = text[start...]
    if body.hasPrefix("<?xml"), let end = body.range(of: "?>") { body = body[end.upperBound...] }
    guard body.range(of: "<!DOCTYPE", options: .caseInsensitive) == nil,
      body.range(of: "<!ENTITY", options: .caseInsensitive) == nil
    else { throw NotesFlaw(reason: "it declares a document type, which no such file needs") }
    // One root for all, and what follows the last element is text in it.
    let collector = NotesCollector(limit: mostElements)
    let parser = XMLParser(data: Data("<silo>\(NotesText.withoutTail(body))</silo>".utf8))
    parser.shouldResolveExternalEntities = false
    parser.delegate = collector
    // What it returns tells of the last piece only.
    guard parser.parse(), parser.parserError == nil, collector.isWhole else {
      throw NotesFlaw(reason: "it is no well-formed XML (line \(parser.lineNumber))")
    }
    return collector.notes
  }
}

/// The text of a file whose encoding it tells itself.
enum NotesText {
  static func decoded(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return String(validating: bytes.dropFirst(3), as: UTF8.self)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return String(data: Data(bytes), encoding: .utf16)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    let encodings: [(String, String.Encoding)] = [
      ("windows-1254", .windowsCP1254), ("iso-8859-9", .windowsCP1254),
      ("windows-1250", .windowsCP1250), ("iso-8859-2", .isoLatin2),
      ("windows-1251", .windowsCP1251), ("windows-1253", .windowsCP1253),
    ]
    let named = encodings.first { head.contains($0.0) }?.1
    return String(data: Data(bytes), encoding: named ?? .windowsCP1252)
      ?? String(data: Data(bytes), encoding: .isoLatin1)
  }

  /// The elements without what follows the last of them: an address there may hold a bare `&`.
  static func withoutTail(_ text: Substring) -> Substring {
    guard let end = text.lastIndex(of: ">") else { return text }
    return text[...end]
  }
}

/// Gathers the simple elements right below each root that is known.
private final class NotesCollector: NSObject, XMLParserDelegate {
  private(set) var notes: [MediaNotes] = []
  private let limit: Int
  private static let deepest = 32
  private var isBroken = false
  private var current: MediaNotes?
  /// How many elements are open, the root around all of them included.
  private var depth = 0
  private var attributes: [String: String] = [:]
  private var text = ""

  init(limit: Int) { self.limit = limit }

  /// Whether everything that was opened was closed.
  var isWhole: Bool { !isBroken && depth == 0 }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { isBroken = true }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    depth += 1
    if depth > Self.deepest {
      isBroken = true
      parser.abortParsing()
    }
    if depth == 2, notes.count < limit, let kind = MediaNotes.Kind(rawValue: name.lowercased()) {
      current = MediaNotes(kind: kind)
    }
    if depth == 3 {
      text = ""
      self.attributes = attributes
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if depth == 3 { text += string }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    if depth == 3 { text += String(decoding: block, as: UTF8.self) }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if depth == 3 {
      current?.take(text.trimmingCharacters(in: .whitespacesAndNewlines), of: name, attributes)
    }
    if depth == 2, let finished = current {
      notes.append(finished)
      current = nil
    }
    depth -= 1
  }
}
