/// The sources of a run: those of the command line, then those of a list.
struct SourceList: Equatable, Sendable {
  /// Each source once, in order.
  var sources: [String] = []
  /// What the user should be told.
  var warnings: [String] = []

  /// Joins `arguments` and the lines of `list`.
  init(arguments: [String], list: String?) {
    // Editors on Windows begin a file with a byte order mark.
    let text = list.map { $0.hasPrefix("\u{FEFF}") ? String($0.dropFirst()) : $0 } ?? ""
    let lines = text.split { $0.isNewline }.map(String.init)
    let listed = lines.map { line in
      String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
    for source in arguments + listed.filter({ !$0.isEmpty && !$0.hasPrefix("#") }) {
      if sources.contains(source) {
        warnings.append("\(SourceName.full(source)) was given twice; it is fetched once")
      } else {
        sources.append(source)
      }
    }
  }
}
