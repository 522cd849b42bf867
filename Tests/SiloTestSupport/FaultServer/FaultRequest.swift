/// A request as it arrived at the fault server, and what became of it.
package struct FaultRequest: Sendable {
  /// The method: `GET`, `HEAD` or another.
  package let method: String
  /// The path as sent, percent signs and all, without the query.
  package let path: String
  /// What follows the question mark, as sent; `nil` without one.
  package let query: String?
  /// The header fields in the order of arrival.
  package let headers: [(name: String, value: String)]
  /// The body.
  package let body: [UInt8]
  /// The time since the server started.
  package let time: Duration
  /// The number of the connection that it came by, from 0.
  package let connection: Int
  /// The status that was answered; 0 while there is none, or when the connection was closed instead.
  package internal(set) var status = 0
  /// The bytes of the body that were sent.
  package internal(set) var bytesSent: Int64 = 0

  /// The value of the first header field of that name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The value of a query parameter, as sent.
  package func parameter(_ name: String) -> String? {
    query?.split(separator: "&").first { $0.hasPrefix("\(name)=") }
      .map { String($0.dropFirst(name.utf8.count + 1)) }
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The range that it asks for, of a resource of `total` bytes.
  func range(of total: Int64) -> Asked {
    guard let text = header("Range"), text.hasPrefix("bytes="), !text.contains(",") else {
      return .whole
    }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return .whole }
    switch (Int64(ends[0]), Int64(ends[1])) {
    case (let first?, let last?):
      guard first <= last else { return .whole }
      return first < total ? .part(first..<min(last, total - 1) + 1) : .unsatisfiable
    case (let first?, nil): return first < total ? .part(first..<total) : .unsatisfiable
    case (nil, let count?):
      return count > 0 && total > 0 ? .part(max(0, total - count)..<total) : .unsatisfiable
    case (nil, nil): return .whole
    }
  }

  enum Asked { case whole, unsatisfiable, part(Range<Int64>) }
}
