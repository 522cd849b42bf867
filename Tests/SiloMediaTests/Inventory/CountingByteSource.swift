import SiloMedia
import Synchronization

/// A source that counts requests as one behind a network would make them: one for each announced range, and one more for
/// each read that nothing announced.
final class CountingByteSource: ByteSource {
  private let inner: any ByteSource
  private let announced = Mutex<[Range<Int64>]>([])
  private let surprises = Atomic(0)

  init(_ inner: any ByteSource) { self.inner = inner }

  var byteCount: Int64? { inner.byteCount }

  /// How many requests were needed.
  var requestCount: Int { announced.withLock(\.count) + surprises.load(ordering: .relaxed) }

  /// How many bytes were asked for.
  var askedByteCount: Int64 {
    announced.withLock { $0.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
  }

  func willRead(_ range: Range<Int64>) { announced.withLock { $0.append(range) } }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    let count = try inner.read(at: offset, into: &buffer)
    let isAnnounced = announced.withLock {
      $0.contains { $0.lowerBound <= offset && offset + Int64(count) <= $0.upperBound }
    }
    if !isAnnounced { surprises.add(1, ordering: .relaxed) }
    return count
  }
}
