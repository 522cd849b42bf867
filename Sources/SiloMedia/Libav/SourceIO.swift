import CFFmpeg
import SiloSystem

/// Lets libav read a `ByteSource`: the custom I/O context, its cursor, and the Swift error that a read threw.
///
/// libav reaches it by an unretained pointer, so whoever owns the format context owns this, too.
final class SourceIO {
  private let source: any ByteSource
  private let cancel: CancellationFlag
  private var position: Int64 = 0
  private(set) var pointer: UnsafeMutablePointer<AVIOContext>?
  /// What a read threw; libav saw only a code.
  private(set) var storedError: (any Error)?

  /// An I/O context with a buffer of `bufferByteCount`.
  init(_ source: any ByteSource, bufferByteCount: Int, cancel: CancellationFlag) throws {
    self.source = source
    self.cancel = cancel
    guard let buffer = av_malloc(bufferByteCount) else {
      throw LibavError(code: silo_averror(12), operation: "allocating a read buffer")
    }
    pointer = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferByteCount), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        guard let opaque, let buffer, count > 0 else { return silo_averror(22) }
        let io = Unmanaged<SourceIO>.fromOpaque(opaque).takeUnretainedValue()
        return io.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
      }, nil,
      { opaque, offset, whence in
        guard let opaque else { return Int64(silo_averror(22)) }
        return Unmanaged<SourceIO>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
      })
    if pointer == nil {
      av_free(buffer)
      throw LibavError(code: silo_averror(12), operation: "allocating a read context")
    }
  }

  deinit {
    // libav may have replaced the buffer: free the one it holds now.
    guard let context = pointer else { return }
    av_freep(&context.pointee.buffer)
    avio_context_free(&pointer)
  }

  /// Throws what a read threw, if one did, and forgets it.
  func rethrowStoredError() throws {
    if let error = storedError {
      storedError = nil
      throw error
    }
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    if cancel.isCancelled { return silo_averror_exit }
    if storedError != nil { return silo_averror(5) }
    do {
      var span = buffer.mutableBytes
      let count = try source.read(at: position, into: &span)
      guard count > 0 else { return silo_averror_eof }
      position += Int64(count)
      return Int32(count)
    } catch {
      storedError = error
      return silo_averror(5)
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let target: (partialValue: Int64, overflow: Bool)
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return source.byteCount ?? Int64(silo_averror(38))
    case SEEK_SET: target = (offset, false)
    case SEEK_CUR: target = position.addingReportingOverflow(offset)
    case SEEK_END:
      guard let end = source.byteCount else { return Int64(silo_averror(38)) }
      target = end.addingReportingOverflow(offset)
    default: return Int64(silo_averror(22))
    }
    guard !target.overflow, target.partialValue >= 0 else { return Int64(silo_averror(22)) }
    position = target.partialValue
    return position
  }
}
