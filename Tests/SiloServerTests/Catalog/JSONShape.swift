import Foundation

/// What a JSON value looks like: its keys with the types of their values, told apart as a strict client tells them.
enum JSONShape: Decodable {
  case null
  case flag
  case integer
  case number
  case text
  case list([JSONShape])
  case object([String: JSONShape])

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let object = try? single.decode([String: JSONShape].self) {
      self = .object(object)
    } else if let list = try? single.decode([JSONShape].self) {
      self = .list(list)
    } else if (try? single.decode(Bool.self)) != nil {
      self = .flag
    } else if (try? single.decode(Int64.self)) != nil {
      self = .integer
    } else if (try? single.decode(Double.self)) != nil {
      self = .number
    } else {
      _ = try single.decode(String.self)
      self = .text
    }
  }

  /// One line a key, such as `items[].year integer`; elements of a list together.
  static func lines(of bytes: [UInt8]) throws -> Set<String> {
    try JSONDecoder().decode(JSONShape.self, from: Data(bytes)).lines("")
  }

  private func lines(_ path: String) -> Set<String> {
    switch self {
    case .null: [path + " null"]
    case .flag: [path + " flag"]
    case .integer: [path + " integer"]
    case .number: [path + " number"]
    case .text: [path + " text"]
    case .list(let list):
      list.isEmpty ? [path + " []"] : list.reduce(into: []) { $0.formUnion($1.lines(path + "[]")) }
    case .object(let object):
      object.reduce(into: []) { found, entry in
        found.formUnion(entry.value.lines(path.isEmpty ? entry.key : path + "." + entry.key))
      }
    }
  }
}
