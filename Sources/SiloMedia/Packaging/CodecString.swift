/// Codecs as playlists name them (RFC 6381), read from the sample description of an init section.
enum CodecString {
  /// The name of the only track of `initSection`; `nil` when it has none that is known.
  static func of(_ initSection: [UInt8]) -> String? {
    var level = FragmentBoxes.boxes(in: initSection[...])
    for name in ["moov", "trak", "mdia", "minf", "stbl"] {
      guard let box = level.first(where: { $0.name == name })?.box else { return nil }
      level = FragmentBoxes.boxes(in: box.dropFirst(8))
    }
    guard let table = level.first(where: { $0.name == "stsd" })?.box,
      let entry = FragmentBoxes.boxes(in: table.dropFirst(16)).first
    else { return nil }
    return name(of: entry.name, entry.box)
  }

  private static func name(of format: String, _ entry: ArraySlice<UInt8>) -> String? {
    // A visual sample entry is 86 bytes long, an audio one 36, before the boxes in it.
    switch format {
    case "avc1", "avc3":
      return child("avcC", of: entry, after: 86).flatMap { $0.count < 4 ? nil : $0 }
        .map { "\(format).\(hex($0[1]))\(hex($0[2]))\(hex($0[3]))" }
    case "hvc1", "hev1":
      return child("hvcC", of: entry, after: 86).flatMap { hevc(format, $0) }
    case "av01":
      return child("av1C", of: entry, after: 86).flatMap(av1)
    case "vp09":
      return child("vpcC", of: entry, after: 86).flatMap { $0.count < 7 ? nil : $0 }
        .map { "vp09.\(two(Int($0[4]))).\(two(Int($0[5]))).\(two(Int($0[6] >> 4)))" }
    case "mp4a", "mp4v":
      return child("esds", of: entry, after: format == "mp4a" ? 36 : 86)
        .map { elementary(format, $0) }
    case "ac-3", "ec-3", "alac": return format
    case "Opus": return "opus"
    case "fLaC": return "fLaC"
    default: return nil
    }
  }

  private static func child(
    _ name: String, of entry: ArraySlice<UInt8>, after count: Int
  ) -> [UInt8]? {
    FragmentBoxes.boxes(in: entry.dropFirst(count)).first { $0.name == name }
      .map { Array($0.box.dropFirst(8)) }
  }

  /// ISO/IEC 14496-15, annex E.
  private static func hevc(_ format: String, _ box: [UInt8]) -> String? {
    guard box.count >= 13 else { return nil }
    let space = ["", "A", "B", "C"][Int(box[1] >> 6)]
    let flags = box[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let reversed = (0..<32).reduce(UInt32(0)) { $0 | (flags >> $1 & 1) << (31 - $1) }
    let tier = box[1] & 0x20 == 0 ? "L" : "H"
    var constraints = Array(box[6..<12])
    while constraints.last == 0 { constraints.removeLast() }
    let parts = [
      format, "\(space)\(box[1] & 0x1F)", String(reversed, radix: 16, uppercase: true),
      "\(tier)\(box[12])",
    ]
    return (parts + constraints.map { String($0, radix: 16, uppercase: true) })
      .joined(separator: ".")
  }

  private static func av1(_ box: [UInt8]) -> String? {
    guard box.count >= 3 else { return nil }
    let isHigh = box[2] & 0x40 != 0
    let depth = isHigh ? (box[2] & 0x20 != 0 ? 12 : 10) : 8
    let tier = box[2] & 0x80 == 0 ? "M" : "H"
    return "av01.\(box[1] >> 5).\(two(Int(box[1] & 0x1F)))\(tier).\(two(depth))"
  }

  /// ISO/IEC 14496-1: the object type, and of MPEG-4 audio the first five bits of its configuration.
  private static func elementary(_ format: String, _ box: [UInt8]) -> String {
    var rest = box.dropFirst(4)[...]
    var object: UInt8?
    while let tag = rest.popFirst() {
      var size = 0
      while let byte = rest.popFirst() {
        size = (size << 7 | Int(byte & 0x7F)) & 0xFFFFFF
        if byte & 0x80 == 0 { break }
      }
      switch tag {
      case 3: rest = rest.dropFirst(3)
      case 4:
        object = rest.first
        rest = rest.dropFirst(13)
      case 5:
        guard format == "mp4a", object == 0x40, let first = rest.first else { break }
        let second = rest.dropFirst().first ?? 0
        let type = first >> 3 == 31 ? 32 + Int((first & 7) << 3 | second >> 5) : Int(first >> 3)
        return "mp4a.40.\(type)"
      default: rest = rest.dropFirst(size)
      }
      if tag == 5 { break }
    }
    guard let object else { return format }
    return object == 0x40 ? "mp4a.40.2" : "\(format).\(hex(object))"
  }

  private static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
