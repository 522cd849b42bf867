import CFFmpeg
import SiloSystem

/// Lets libav write a file: the custom I/O context, its cursor, and the Swift error that a write threw.
///
/// libav reaches it by an unretained pointer, so whoever owns the format context owns this, too.
final class SinkIO {
  /// The blocks that are handed to the disk while later ones are made, so that the sync at the end is short.
  private static let writeBehindByteCount: Int64 = 32 << 20
  /// From this length on blocks are reserved ahead, a sixteenth more: finding them page by page costs a third of a write.
  private static let reservesFrom: Int64 = 16 << 20
  private static let mostReservedByteCount: Int64 = 64 << 20

  private let file: OwnedDescriptor
  private let cancel: CancellationFlag
  private var position: Int64 = 0
  private var handedOver: Int64 = 0
  /// How far blocks are reserved; `nil` when there are none to be had.
  private var reservedEnd: Int64? = 0
  private var diverted: Diverted?
  private(set) var end: Int64 = 0
  private(set) var pointer: UnsafeMutablePointer<AVIOContext>?
  /// What a write threw; libav saw only a code.
  private(set) var storedError: (any Error)?

  /// Writes that are kept in memory instead.
  private struct Diverted {
    var start: Int64
    var bytes: [UInt8] = []
    var isOn = false

    mutating func put(_ more: UnsafeRawBufferPointer, at offset: Int) {
      let known = min(more.count, max(0, bytes.count - offset))
      if offset > bytes.count {
        bytes.append(contentsOf: repeatElement(0, count: offset - bytes.count))
      }
      bytes.replaceSubrange(offset..<offset + known, with: more.prefix(known))
      bytes.append(contentsOf: more.dropFirst(known))
    }
  }

  /// An I/O context that writes `path` from its start; its buffer is whole pages and stays in a core's cache.
  init(path: String, bufferByteCount: Int = 256 << 10, cancel: CancellationFlag) throws {
    file = try OwnedDescriptor.open(path, .create)
    // A device has no length to be cut.
    if try file.byteCount() > 0 { try file.truncate(to: 0) }
    self.cancel = cancel
    guard let buffer = av_malloc(bufferByteCount) else {
      throw LibavError(code: silo_averror(12), operation: "allocating a write buffer")
    }
    pointer = silo_alloc_writer(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferByteCount),
      Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        guard let opaque, let buffer, count > 0 else { return silo_averror(22) }
        let io = Unmanaged<SinkIO>.fromOpaque(opaque).takeUnretainedValue()
        return io.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
      },
      { opaque, offset, whence in
        guard let opaque else { return Int64(silo_averror(22)) }
        return Unmanaged<SinkIO>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
      })
    if pointer == nil {
      av_free(buffer)
      throw LibavError(code: silo_averror(12), operation: "allocating a write context")
    }
  }

  deinit {
    // libav may have replaced the buffer: free the one it holds now.
    guard let context = pointer else { return }
    av_freep(&context.pointee.buffer)
    avio_context_free(&pointer)
  }

  /// Throws what a write threw, if one did; a full disk as `MediaError.noSpace`.
  func rethrowStoredError() throws {
    guard let error = storedError else { return }
    guard let call = error as? SystemCallError else { throw error }
    throw MediaError(
      call.isOutOfSpace ? .noSpace : .inputOutput,
      call.isOutOfSpace
        ? "There is no space left on the device. Free some and try again."
        : "The file cannot be written: \(call).",
      subject: file.path, cause: call)
  }

  /// Empties the buffer, calls `written`, and makes everything durable.
  func synchronize(_ written: () -> Void) throws {
    if let pointer { avio_flush(pointer) }
    try rethrowStoredError()
    written()
    do {
      // Gives back what was reserved too much.
      if reservedEnd != 0, try file.byteCount() == end { try file.truncate(to: end) }
      try file.synchronize()
    } catch {
      storedError = error
      try rethrowStoredError()
    }
  }

  /// Keeps what is written in memory, from the next seek to `start` on.
  func divert(from start: Int64, reserving byteCount: Int) {
    diverted = Diverted(start: start)
    diverted?.bytes.reserveCapacity(byteCount)
  }

  /// What was kept in memory since; later writes go to the file again.
  func takeDiverted() -> [UInt8] {
    defer { diverted = nil }
    return diverted?.bytes ?? []
  }

  /// Writes `bytes` over what is at `offset`, past libav.
  func overwrite(_ bytes: [UInt8], at offset: Int64) throws {
    do {
      try file.write(bytes, at: offset)
      end = max(end, offset + Int64(bytes.count))
    } catch {
      storedError = error
      try rethrowStoredError()
    }
  }

  /// Reads back up to `count` bytes from the start.
  func head(count: Int) throws -> [UInt8] { try file.read(at: 0, count: count) }

  /// Reserves blocks for a write that ends at `end`, and more; without them the write itself finds out what is wrong.
  private func reserve(through end: Int64) {
    guard let held = reservedEnd, end > held, end >= Self.reservesFrom else { return }
    let next = end + min(end / 16, Self.mostReservedByteCount)
    let range = max(held, position)..<next
    reservedEnd = (try? file.reserve(range, growing: false)) == true ? next : nil
  }

  /// Whether a write was kept in memory.
  private func isDiverted(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard diverted?.isOn == true, let start = diverted?.start, position >= start else {
      return false
    }
    diverted?.put(bytes, at: Int(position - start))
    position += Int64(bytes.count)
    return true
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if cancel.isCancelled { return silo_averror_exit }
    if storedError != nil { return silo_averror(5) }
    if isDiverted(bytes) { return Int32(bytes.count) }
    reserve(through: position + Int64(bytes.count))
    do {
      try file.write(bytes.bytes, at: position)
      position += Int64(bytes.count)
      end = max(end, position)
      if end - handedOver >= Self.writeBehindByteCount {
        file.startWriting(handedOver..<end)
        handedOver = end
      }
      return Int32(bytes.count)
    } catch {
      storedError = error
      return silo_averror(5)
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let target: (partialValue: Int64, overflow: Bool)
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return end
    case SEEK_SET: target = (offset, false)
    case SEEK_CUR: target = position.addingReportingOverflow(offset)
    case SEEK_END: target = end.addingReportingOverflow(offset)
    default: return Int64(silo_averror(22))
    }
    guard !target.overflow, target.partialValue >= 0 else { return Int64(silo_averror(22)) }
    position = target.partialValue
    if position == diverted?.start { diverted?.isOn = true }
    return position
  }
}
