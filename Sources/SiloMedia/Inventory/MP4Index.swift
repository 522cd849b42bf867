/// The index of an MP4 or MOV file, read from the bytes of its `moov` box.
struct MP4Index {
  /// The tracks in the order of the index.
  var tracks: [MP4Track] = []
  /// Whether samples are described in fragments (`mvex`).
  var isFragmented = false
  /// How long the header says that all fragments play.
  var fragmentDuration: Duration?
  /// The DRM systems that have a header in it, by name.
  var drmSystems: [String] = []
  /// Chapters of a `chpl` box, or `nil` when there is none.
  var chapterList: [Chapter]?
  /// Defaults of fragments by track: ticks and bytes of a sample.
  var fragmentDefaults: [UInt32: (ticks: UInt32, byteCount: UInt32)] = [:]

  /// Reads the payload of a `moov` box.
  init(_ moov: ArraySlice<UInt8>) {
    var timescale: UInt32 = 0
    for box in MP4Box.list(moov) {
      switch box.type {
      case "mvhd":
        var cursor = ByteCursor(box.payload)
        if (try? cursor.skip(box.payload.first == 1 ? 20 : 12)) != nil {
          timescale = (try? cursor.u32()) ?? 0
        }
      case "trak": tracks.append(MP4Track(box))
      case "mvex": readExtension(box, timescale: timescale)
      case "pssh": drmSystems.append(Self.drmSystem(box.payload))
      case "udta":
        if let list = box.child("chpl") { chapterList = Self.chapters(list.payload) }
      default: break
      }
    }
  }

  /// The system, or `nil` when every track is clear; the scheme of common encryption when no system is named.
  var encryption: String? {
    guard let scheme = tracks.lazy.compactMap(\.encryptionScheme).first else { return nil }
    let known = drmSystems.filter { $0 != "ClearKey" }
    return known.isEmpty ? scheme : Array(Set(known)).sorted().joined(separator: ", ")
  }

  /// The tracks that only hold chapter titles or pictures.
  var chapterTracks: Set<UInt32> { Set(tracks.flatMap(\.chapterTracks)) }

  private mutating func readExtension(_ box: MP4Box, timescale: UInt32) {
    isFragmented = true
    for child in box.children {
      var cursor = ByteCursor(child.payload)
      switch child.type {
      case "mehd":
        guard let version = try? cursor.u32() else { continue }
        let ticks = try? cursor.number(version >> 24 == 1 ? 8 : 4)
        if let ticks = ticks.flatMap({ Int64(exactly: $0) }), ticks > 0, timescale > 0 {
          fragmentDuration = TimeBase(1, Int32(clamping: timescale)).duration(of: ticks)
        }
      case "trex":
        guard (try? cursor.skip(4)) != nil, let id = try? cursor.u32(),
          (try? cursor.skip(4)) != nil, let ticks = try? cursor.u32(),
          let byteCount = try? cursor.u32()
        else { continue }
        fragmentDefaults[id] = (ticks, byteCount)
      default: break
      }
    }
  }

  /// The name of the system of a `pssh` box (ISO/IEC 23001-7, 8.1).
  static func drmSystem(_ payload: ArraySlice<UInt8>) -> String {
    let id = payload.dropFirst(4).prefix(16).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
    return switch id {
    case "edef8ba979d64acea3c827dcd51d21ed": "Widevine"
    case "9a04f07998404286ab92e65be0885f95": "PlayReady"
    case "94ce86fb07ff4f43adb893d2fa968ca2": "FairPlay"
    case "1077efecc0b24d02ace33c1e52e2fb4b", "e2719d58a985b3c9781ab030af78d30e": "ClearKey"
    case "5e629af538da4063897797ffbd9902d4": "Marlin"
    default: "an unknown DRM system (\(id))"
    }
  }

  /// The entries of a `chpl` box: starts in units of 100 ns and titles.
  private static func chapters(_ payload: ArraySlice<UInt8>) -> [Chapter]? {
    guard let version = payload.first else { return nil }
    var cursor = ByteCursor(payload)
    guard (try? cursor.skip(version == 0 ? 4 : 8)) != nil, let count = try? cursor.u8()
    else { return nil }
    var found: [Chapter] = []
    for _ in 0..<count {
      guard let start = try? cursor.u64(), let ticks = Int64(exactly: start),
        let length = try? cursor.u8(), let title = try? cursor.take(Int(length))
      else { break }
      found.append(
        Chapter(
          start: TimeBase(1, 10_000_000).duration(of: ticks),
          title: title.isEmpty ? nil : String(decoding: title, as: UTF8.self)))
    }
    return found
  }
}
