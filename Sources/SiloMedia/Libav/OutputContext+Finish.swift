import CFFmpeg

extension OutputContext {
  /// Writes the end of a Matroska file, puts languages into the room for them, and makes the file durable.
  ///
  /// - Parameter written: Called when every byte is in the file, before it is durable.
  func finish(rooms: [Int: MatroskaNameRoom] = [:], written: () -> Void = {}) throws {
    try check(av_write_trailer(pointer), "writing the end")
    if !rooms.isEmpty {
      // The track list lies before all media, covers and fonts.
      let head = try io.head(count: 4 << 20)
      guard let edit = MatroskaTracksEdit(head: head, rooms: rooms) else {
        throw MediaError(.internal, "There is no room for the languages in the track list.")
      }
      for patch in edit.patches { try io.overwrite(patch.bytes, at: patch.offset) }
    }
    try io.synchronize(written)
  }

  /// Writes the end of an MP4 file with the changed index, and makes the file durable.
  ///
  /// The index goes into the `room` that the header left behind its first box when it fits there, so that the file
  /// plays while it is streamed, else behind the media. Both without moving the media.
  ///
  /// - Parameter written: Called when every byte is in the file, before it is durable.
  func finish(room: Int, edit: MovieBoxEdit, written: () -> Void = {}) throws {
    let start = try firstBoxByteCount()
    io.divert(from: start, reserving: room)
    let code = av_write_trailer(pointer)
    let kept = io.takeDiverted()
    guard let movie = MP4Box.list(kept[...]).first.map({ kept.prefix($0.payload.endIndex) }),
      let index = edit.applied(to: movie)
    else {
      try check(code, "writing the end")
      throw MediaError(.internal, "The index of the file could not be made.")
    }
    // An index that is larger than its room is an error to libav, but it was made all the same.
    let isTooLarge = movie.count > room - 8 && code == silo_averror(22)
    if !isTooLarge { try check(code, "writing the end") }
    try io.rethrowStoredError()
    if index.count <= room - 8 {
      try io.overwrite(index + Self.freeHeader(room - index.count), at: start)
    } else {
      try io.overwrite(Self.freeHeader(room), at: start)
      try io.overwrite(index, at: io.end)
    }
    try io.synchronize(written)
  }

  /// The length of the `ftyp` box, behind which the room is.
  private func firstBoxByteCount() throws -> Int64 {
    avio_flush(pointer.pointee.pb)
    try io.rethrowStoredError()
    guard let first = MP4Box.Header(try io.head(count: 16)[...]), first.type == "ftyp" else {
      throw MediaError(.internal, "The file does not start with its kind.")
    }
    return first.byteCount
  }

  private static func freeHeader(_ byteCount: Int) -> [UInt8] {
    let size = UInt32(clamping: byteCount)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
      + Array("free".utf8)
  }
}
