import Glibc
import SiloSystem

import struct Foundation.URL

extension HTTPClient {
  /// One attempt of a request, redirects included.
  struct Attempt: Sendable {
    enum End: Sendable {
      case complete(HTTPResponseHead)
      case refused(any Error)
      case failed(AttemptFailure)
    }

    let end: End
    /// The byte of the whole up to which this attempt got.
    var reached: Int64 = 0
    /// The number of the renewable credential that the last answer was to; `nil` when it got none.
    var authorization: Int?
  }

  /// Sends the request, follows its redirects and says how it ended; once more with a renewed sign-in when it has expired.
  ///
  /// - Parameter isAfresh: Over a new connection to an address that is looked up anew: the last one failed.
  /// - Throws: `CancellationError`, `DownloadError` for a redirect that is not followed, and what the renewal threw.
  func attempt(
    _ request: HTTPRequest, into sink: any HTTPBodySink, isAfresh: Bool = false
  ) async throws -> Attempt {
    try options.check()
    let first = try await send(request, into: sink, isAfresh: isAfresh)
    guard case .failed(let failure) = first.end, failure.error.status == 401,
      let number = first.authorization, let authorization,
      try await authorization.replace(number)
    else { return first }
    return try await send(request, into: sink, isAfresh: isAfresh)
  }

  private func send(_ request: HTTPRequest, into sink: any HTTPBodySink, isAfresh: Bool)
    async throws -> Attempt
  {
    let rule = RedirectRule(limit: options.redirects)
    let scope = CredentialScope(options, request, authorization: authorization?.current)
    var url = request.url.absoluteURL
    var followed = [url]
    var carriesCredentials = false
    guard Origin(url) != nil else {
      throw DownloadError(
        .unsupported, "Only http and https addresses are fetched.",
        subject: Redaction.text(of: url))
    }
    while true {
      let hop = Hop(url: url, request: request, grant: scope.grant(for: url), isAfresh: isAfresh)
      carriesCredentials = carriesCredentials || !hop.grant.isEmpty
      let outcome = try await exchange(hop, into: sink)
      if let number = hop.grant.authorization, let head = outcome.head,
        (200..<400).contains(head.status)
      {
        authorization?.prove(number)
      }
      guard let status = outcome.head?.status, RedirectRule.statuses.contains(status) else {
        return Attempt(
          end: end(outcome, at: url), reached: Self.reached(outcome),
          authorization: hop.grant.authorization)
      }
      guard ["GET", "HEAD"].contains(request.method) else {
        throw DownloadError(
          .unavailable, "The server redirects what only it should get. Give its own address.",
          subject: Redaction.text(of: url), status: status)
      }
      url = try rule.next(
        to: outcome.redirectURL, after: followed, carriesCredentials: carriesCredentials)
      if request.staysWithOrigin, Origin(url) != Origin(request.url) {
        throw DownloadError(
          .unavailable, "The server redirects this to another one, which is not followed.",
          subject: Redaction.text(of: request.url), status: status)
      }
      followed.append(url)
    }
  }

  /// The status counts before the fault: an error page that is cut is still that error.
  private func end(_ outcome: Exchange.Outcome, at url: URL) -> Attempt.End {
    if outcome.refusal is EncodedMedia { return .failed(AttemptFailure(encodedMediaAt: url)) }
    if outcome.refusal is LengthBeyondFiles { return .failed(AttemptFailure(lengthAt: url)) }
    if let refusal = outcome.refusal { return .refused(refusal) }
    if let head = outcome.head, !(200..<300).contains(head.status) {
      return .failed(
        AttemptFailure(
          status: head.status, at: url, retryAfter: head.retryAfter(wallClock: Int64(time(nil))),
          said: outcome.said))
    }
    if let fault = outcome.fault {
      return .failed(AttemptFailure(fault, at: url, through: options.proxy))
    }
    guard let head = outcome.head else {
      return .failed(AttemptFailure(TransportFault(.interrupted, "no answer"), at: url))
    }
    return .complete(head)
  }

  private static func reached(_ outcome: Exchange.Outcome) -> Int64 {
    let (sum, overflow) = (outcome.head?.bodyOffset ?? 0)
      .addingReportingOverflow(outcome.byteCount)
    return overflow ? .max : sum
  }
}
