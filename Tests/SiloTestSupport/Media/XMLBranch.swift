import Foundation
import FoundationXML

/// An element of an XML document that a test looks into: its name, attributes, text and elements inside.
///
/// Read with `XMLParser`: every `XMLDocument` of FoundationXML is lost, for its nodes hold the document that holds them.
public struct XMLBranch: Sendable {
  /// What stands in its tag.
  public let name: String
  /// The attributes by their names.
  public let attributes: [String: String]
  /// What stands between the tags, without what elements inside hold.
  public fileprivate(set) var text = ""
  /// The elements inside, in their order.
  public fileprivate(set) var branches: [XMLBranch] = []

  fileprivate init(name: String, attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// The root of a document; throws when it is not well-formed.
  public static func root(of text: String) throws -> XMLBranch {
    let collector = Collector()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = collector
    guard parser.parse(), let root = collector.root else { throw NotWellFormed(text: text) }
    return root
  }

  /// The elements inside that have this name.
  public func branches(named name: String) -> [XMLBranch] { branches.filter { $0.name == name } }

  /// A text that is no XML document.
  public struct NotWellFormed: Error {
    /// All of it.
    public let text: String
  }
}

/// Builds the root while the parser goes on.
private final class Collector: NSObject, XMLParserDelegate {
  private(set) var root: XMLBranch?
  private var open: [XMLBranch] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(XMLBranch(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !open.isEmpty { open[open.count - 1].text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let done = open.popLast() else { return }
    if open.isEmpty { root = done } else { open[open.count - 1].branches.append(done) }
  }
}
