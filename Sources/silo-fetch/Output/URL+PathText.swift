import Foundation

extension URL {
  /// The path of a file URL, percent codes decoded.
  var pathText: String { path(percentEncoded: false) }
}
