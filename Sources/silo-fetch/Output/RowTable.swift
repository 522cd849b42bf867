/// Rows in columns as wide as they need, the last one as long as it is.
enum RowTable {
  /// The heading and the rows.
  static func lines(_ heading: [String], _ rows: [[String]], _ terminal: Terminal) -> [String] {
    let all = [heading] + rows
    let widths = heading.indices.map { column in
      all.map { Columns.count($0[column]) }.max() ?? 0
    }
    return all.enumerated().map { place, row in
      let line = row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : Columns.padded(cell, to: widths[column])
      }.joined(separator: "  ")
      return place == 0 ? terminal.styled(line, .bold) : line
    }
  }
}
