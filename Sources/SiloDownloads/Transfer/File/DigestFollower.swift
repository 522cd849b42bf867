import SiloSystem
import Synchronization

/// Computes digests of a file from its start on, behind those who write it, on a thread of its own.
///
/// It reads what was just written, from the page cache. Nobody waits for it but the end of the transfer, and it keeps no bytes.
actor DigestFollower {
  /// As much as stays in the processor's cache between the read and the digest.
  private static let stepByteCount = 256 << 10

  private final class Running {
    let algorithm: Digest.Algorithm
    private var digest: Digest

    init(_ algorithm: Digest.Algorithm) throws {
      self.algorithm = algorithm
      digest = try Digest(algorithm)
    }

    func update(_ bytes: RawSpan) { digest.update(bytes) }

    func finish() throws -> String {
      let empty = try Digest(algorithm)
      let whole = exchange(&digest, with: empty)
      return whole.finishHex()
    }
  }

  private let part: PartFile
  private let front: WrittenFront
  private nonisolated let executor: BlockingExecutor
  private nonisolated let isAwake = Atomic(false)
  private nonisolated let isStopped = Atomic(false)
  private var algorithms: Set<Digest.Algorithm> = []
  private var running: [Running] = []
  private var digested: Int64 = 0
  private var generation: Int?
  private var buffer = [UInt8](repeating: 0, count: stepByteCount)
  private var failure: (any Error)?

  /// A follower of `part`, of which `front` tells how far it may read.
  init(_ part: PartFile, _ front: WrittenFront) throws {
    self.part = part
    self.front = front
    executor = try BlockingExecutor(named: "part-digest")
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Goes after the front with these digests, unless it already does; returns at once.
  ///
  /// - Parameter algorithms: Those to compute; others than before start again.
  nonisolated func advance(_ algorithms: Set<Digest.Algorithm>) {
    guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { await self.follow(algorithms) }
  }

  /// Ends the work soon: nobody wants the digests.
  nonisolated func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Waits for the rest and returns the digests in lower-case hexadecimal digits.
  func finish(_ algorithms: Set<Digest.Algorithm>) throws -> [Digest.Algorithm: String] {
    follow(algorithms)
    if let failure { throw failure }
    guard !isStopped.load(ordering: .relaxed) else { throw CancellationError() }
    return try Dictionary(uniqueKeysWithValues: running.map { ($0.algorithm, try $0.finish()) })
  }

  private func follow(_ algorithms: Set<Digest.Algorithm>) {
    // Lowered first: what comes from now on is seen here, or wakes again.
    isAwake.store(false, ordering: .sequentiallyConsistent)
    do {
      while failure == nil, !isStopped.load(ordering: .relaxed), try step(algorithms) {}
    } catch {
      failure = error
    }
  }

  /// Takes the next bytes; `false` when there are none.
  private func step(_ algorithms: Set<Digest.Algorithm>) throws -> Bool {
    let (end, generation) = front.value
    if generation != self.generation || algorithms != self.algorithms {
      running = try algorithms.sorted { $0.rawValue < $1.rawValue }.map(Running.init)
      (self.generation, self.algorithms, digested) = (generation, algorithms, 0)
    }
    let count = Int(min(end - digested, Int64(Self.stepByteCount)))
    guard count > 0 else { return false }
    var span = buffer.mutableSpan
    var bytes = span.mutableBytes
    let read = try part.descriptor.read(at: digested, into: &bytes)
    // What was thrown away meanwhile is of no version.
    guard front.value.generation == generation else { return true }
    guard read >= count else {
      throw DownloadError(.integrity, "The partial file became shorter.", subject: part.path)
    }
    for digest in running { digest.update(buffer.span.bytes.extracting(first: count)) }
    digested += Int64(count)
    return true
  }
}

/// Up to where a file is written without a gap, and the number of its version.
final class WrittenFront: Sendable {
  private let front = Mutex<(end: Int64, generation: Int)>((0, 0))

  var value: (end: Int64, generation: Int) {
    get { front.withLock { $0 } }
    set { front.withLock { $0 = newValue } }
  }
}
