extension MP4Index {
  /// Adds the samples that a `moof` box describes (ISO/IEC 14496-12, 8.8.4 to 8.8.8).
  mutating func add(fragment moof: ArraySlice<UInt8>) {
    for box in MP4Box.list(moof) {
      switch box.type {
      case "traf": add(trackFragment: box)
      case "pssh": drmSystems.append(Self.drmSystem(box.payload))
      default: break
      }
    }
  }

  private mutating func add(trackFragment traf: MP4Box) {
    let boxes = traf.children
    guard let header = boxes.first(where: { $0.type == "tfhd" }) else { return }
    var cursor = ByteCursor(header.payload)
    guard let flags = try? cursor.u32(), let id = try? cursor.u32(),
      let index = tracks.firstIndex(where: { $0.id == id })
    else { return }
    var defaults = fragmentDefaults[id] ?? (0, 0)
    if flags & 0x1 != 0 { try? cursor.skip(8) }
    if flags & 0x2 != 0 { try? cursor.skip(4) }
    if flags & 0x8 != 0 { defaults.ticks = (try? cursor.u32()) ?? defaults.ticks }
    if flags & 0x10 != 0 { defaults.byteCount = (try? cursor.u32()) ?? defaults.byteCount }
    for run in boxes where run.type == "trun" {
      add(run: run.payload, to: index, ticks: defaults.ticks, byteCount: defaults.byteCount)
    }
  }

  private mutating func add(
    run: ArraySlice<UInt8>, to index: Int, ticks: UInt32, byteCount: UInt32
  ) {
    var cursor = ByteCursor(run)
    guard let flags = try? cursor.u32(), let count = try? cursor.u32() else { return }
    if flags & 0x1 != 0 { try? cursor.skip(4) }
    if flags & 0x4 != 0 { try? cursor.skip(4) }
    let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & UInt32($0) != 0 }.count
    guard fields > 0 else {
      // A run without fields of its own is as long as it says; one with fields no longer than its bytes.
      tracks[index].ticks &+= Int64(clamping: UInt64(count) * UInt64(ticks))
      tracks[index].byteCount &+= Int64(clamping: UInt64(count) * UInt64(byteCount))
      tracks[index].sampleCount += Int64(count)
      return
    }
    let samples = min(Int(count), cursor.rest / (4 * fields))
    for _ in 0..<samples {
      let duration = flags & 0x100 != 0 ? (try? cursor.u32()) ?? 0 : ticks
      let size = flags & 0x200 != 0 ? (try? cursor.u32()) ?? 0 : byteCount
      if flags & 0x400 != 0 { try? cursor.skip(4) }
      if flags & 0x800 != 0 { try? cursor.skip(4) }
      tracks[index].ticks &+= Int64(duration)
      tracks[index].byteCount &+= Int64(size)
    }
    tracks[index].sampleCount += Int64(samples)
  }
}
