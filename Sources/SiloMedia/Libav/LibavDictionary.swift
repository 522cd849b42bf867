import CFFmpeg

/// libav's string map, owned.
struct LibavDictionary: ~Copyable {
  /// The map; libav calls replace it.
  var pointer: OpaquePointer?

  /// A map of the given entries.
  init(_ entries: [String: String] = [:]) {
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      av_dict_set(&pointer, key, value, 0)
    }
  }

  deinit {
    var map = pointer
    av_dict_free(&map)
  }

  /// The keys that are left, which after a libav call are those it did not take.
  var keys: [String] { Self.entries(of: pointer).map(\.key) }

  /// The entries of one of libav's maps in order.
  static func entries(of map: OpaquePointer?) -> [(key: String, value: String)] {
    var found: [(key: String, value: String)] = []
    var entry = av_dict_get(map, "", nil, AV_DICT_IGNORE_SUFFIX)
    while let current = entry {
      if let key = current.pointee.key, let value = current.pointee.value {
        found.append((String(cString: key), String(cString: value)))
      }
      entry = av_dict_get(map, "", current, AV_DICT_IGNORE_SUFFIX)
    }
    return found
  }

  /// The entries of one of libav's maps by lower-case key; the first of equal keys stays.
  static func map(of map: OpaquePointer?) -> [String: String] {
    Dictionary(
      entries(of: map).map { ($0.key.lowercased(), $0.value) },
      uniquingKeysWith: { first, _ in first })
  }
}
