import SiloMedia
import SiloSystem

/// A part that is clear and proven, ready to be appended.
struct ProvenPart: Sendable {
  var index: Int
  var bytes: [UInt8]
  var digest: [UInt8]
}

/// Why a part cannot be had.
struct PartFailure: Error {
  var part: Int
  var reason: any Error
}

/// Carries the parts of one request from the server to memory: fetched, sliced, decrypted, proven.
struct PartFetch: Sendable {
  let fetcher: any SegmentFetching
  let keys: KeyRing
  let waiting: Waiting

  /// - Throws: `PartFailure`, `CancellationError`.
  @concurrent
  func run(
    _ job: SpoolJob, _ parts: ArraySlice<SpoolPart>, _ form: RenditionSpool.Form
  ) async throws -> [ProvenPart] {
    var attempt = 1
    while true {
      do {
        var bytes = try await fetch(job)
        return try await prove(&bytes, job, parts, form)
      } catch let failure as PartFailure {
        guard let flaw = failure.reason as? SegmentFlaw, attempt < flaw.attempts else {
          throw failure
        }
      }
      try await waiting.sleep(.milliseconds(100) * (1 << attempt))
      attempt += 1
    }
  }

  private func fetch(_ job: SpoolJob) async throws -> [UInt8] {
    do {
      let bytes = try await fetcher.fetch(job.url, range: job.byteRange, purpose: .media)
      if let range = job.byteRange, bytes.count != range.count {
        throw SegmentFlaw.wrongLength(expected: Int64(range.count), found: Int64(bytes.count))
      }
      return bytes
    } catch let error as CancellationError {
      throw error
    } catch {
      throw PartFailure(part: job.parts.lowerBound, reason: error)
    }
  }

  private func prove(
    _ bytes: inout [UInt8], _ job: SpoolJob, _ parts: ArraySlice<SpoolPart>,
    _ form: RenditionSpool.Form
  ) async throws -> [ProvenPart] {
    var proven: [ProvenPart] = []
    for index in job.parts {
      do {
        let part = parts[index]
        var piece: [UInt8]
        if job.parts.count > 1, let whole = job.byteRange, let range = part.byteRange {
          let start = Int(range.lowerBound - whole.lowerBound)
          piece = Array(bytes[start..<(start + range.count)])
        } else {
          piece = bytes
          bytes = []
        }
        if let key = part.key {
          piece = try Self.decrypt(piece, try await keys.bytes(of: key), part.vector)
        }
        let prefix = try SegmentProof.check(piece, form)
        if prefix > 0 { piece.removeFirst(prefix) }
        var digest = try Digest(.sha256)
        digest.update(piece)
        proven.append(ProvenPart(index: index, bytes: piece, digest: digest.finish()))
      } catch let error as CancellationError {
        throw error
      } catch {
        throw PartFailure(part: index, reason: error)
      }
    }
    return proven
  }

  private static func decrypt(
    _ bytes: [UInt8], _ key: [UInt8], _ vector: [UInt8]
  ) throws -> [UInt8] {
    // A page in place of the segment is told as such, not as a wrong key.
    if !bytes.count.isMultiple(of: 16), bytes.first == 0x3C || bytes.first == 0x7B {
      throw SegmentFlaw.text(SegmentFlaw.start(of: bytes))
    }
    if bytes.isEmpty { throw SegmentFlaw.empty }
    do {
      return try BlockCipher.run(.decrypt, key: key, vector: vector, over: bytes)
    } catch CryptoError.badPadding {
      throw SegmentFlaw.padding
    }
  }
}
