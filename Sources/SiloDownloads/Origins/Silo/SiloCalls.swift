import SiloContract
import SiloSystem

import struct Foundation.URL

/// Makes calls of one server's API: values there and back, refusals as errors.
struct SiloCalls: Sendable {
  /// The longest answer: what one call tells about a large library.
  private static let longest = 16 << 20

  let address: SiloAddress
  let client: HTTPClient

  /// Sends a call and decodes its answer.
  ///
  /// - Throws: `DownloadError`: by `SiloRefusal` for a refusal, `integrity` for an answer that is no such value.
  func call<Answer: Decodable>(
    _ method: String = "GET", _ path: String, query: [(name: String, value: String)] = [],
    sending body: (any Encodable)? = nil, as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    let url = address.url(path, query: query)
    let document = try await answer(method, url, body)
    return try decode(document.body, of: url)
  }

  /// The answer to a call as it came.
  ///
  /// - Throws: See `call`.
  func bytes(_ path: String) async throws -> [UInt8] {
    try await answer("GET", address.url(path), nil).body
  }

  /// Reads the answer to the call of `path`.
  ///
  /// - Throws: `DownloadError.integrity`.
  func decode<Answer: Decodable>(_ bytes: [UInt8], of path: String) throws -> Answer {
    try decode(bytes, of: address.url(path))
  }

  private func decode<Answer: Decodable>(_ bytes: [UInt8], of url: URL) throws -> Answer {
    do {
      return try ContractJSON.decode(from: bytes)
    } catch {
      throw DownloadError(
        .integrity, "\(error.description) Is this a Silo server?",
        subject: Redaction.text(of: url), cause: error)
    }
  }

  /// Sends a call whose answer says nothing but that it was done.
  func tell(_ method: String, _ path: String, sending body: (any Encodable)? = nil) async throws {
    _ = try await answer(method, address.url(path), body)
  }

  private func answer(
    _ method: String, _ url: URL, _ body: (any Encodable)?
  ) async throws -> HTTPDocument {
    var request = HTTPRequest(url, purpose: .document, method: method)
    request.isLook = true
    do {
      if let body {
        request.json = String(decoding: try ContractJSON.encode(body), as: UTF8.self)
      }
      return try await client.fetch(request, limit: Self.longest)
    } catch let error as DownloadError {
      // No answer of this API is that long: it is no answer.
      if error.code == .unsupported, error.status == nil {
        throw DownloadError(.integrity, error.message, subject: error.subject, cause: error)
      }
      guard let status = error.status, let words = error.cause as? ServerWords else { throw error }
      throw SiloRefusal.error(status: status, said: words.bytes, subject: error.subject)
    } catch let error as ContractError {
      throw DownloadError(.usage, error.description, subject: Redaction.text(of: url))
    }
  }
}
