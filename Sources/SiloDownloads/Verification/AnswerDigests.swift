import SiloSystem
import Synchronization

/// What the answers of one transfer say of the digests of its file.
///
/// The first one may be of the whole and the last of a part: what the whole said is kept while the version is the same.
final class AnswerDigests: Sendable {
  private struct Said {
    var validators: HTTPValidators
    var claims: DigestClaims
  }

  /// More different claims about one version than this are no claims.
  private static let limit = 8

  private let said = Mutex<[Said]>([])

  /// Notes the head of an answer, and tells which digests are worth computing beside SHA-256 while its bytes arrive.
  func note(_ head: HTTPResponseHead, asked: ExpectedDigest?) -> Set<Digest.Algorithm> {
    let new = Said(validators: head.validators, claims: DigestClaims(headersOf: head))
    said.withLock { said in
      said.removeAll { !Self.isSame($0.validators, new.validators) }
      let isKnown = said.contains { $0.claims.expected == new.claims.expected }
      if !isKnown, !new.claims.expected.isEmpty, said.count < Self.limit { said.append(new) }
    }
    let claims = DigestClaims(asked.map { [$0] } ?? []) + claims(beside: head)
    return Set(claims.deciding.compactMap { Digest.Algorithm($0.algorithm) })
  }

  /// What was said of the version that `head` is of.
  func claims(beside head: HTTPResponseHead) -> DigestClaims {
    let others = said.withLock { $0.filter { Self.isSame($0.validators, head.validators) } }
    return others.reduce(DigestClaims(headersOf: head)) { $0 + $1.claims }
  }

  /// Without a validator nobody knows.
  private static func isSame(_ a: HTTPValidators, _ b: HTTPValidators) -> Bool {
    a.ifRange != nil && a.ifRange == b.ifRange && a.difference(from: b) == nil
  }
}

extension Digest.Algorithm {
  /// The same algorithm; `nil` for OSHash, which is not computed as bytes pass by.
  init?(_ algorithm: ExpectedDigest.Algorithm) {
    switch algorithm {
    case .sha512: self = .sha512
    case .sha256: self = .sha256
    case .sha1: self = .sha1
    case .md5: self = .md5
    case .oshash: return nil
    }
  }
}
