import CCurl
import SiloSystem

import struct Foundation.URL

extension EasyHandle {
  /// Sets everything about one hop but the callbacks.
  mutating func configure(_ hop: Hop, _ options: HTTPOptions) throws(TransportFault) {
    let url = CredentialScope.bare(hop.url)
    let isEncrypted = url.scheme?.lowercased() == "https"
    try set(CURLOPT_URL, url.absoluteString)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, false)
    try set(CURLOPT_NOSIGNAL, true)
    // Multiplexing is agreed on in the TLS handshake; over plain http waiting for it would only cost a round trip.
    try set(CURLOPT_HTTP_VERSION, isEncrypted ? silo_http_2_over_tls : silo_http_1_1)
    try set(CURLOPT_PIPEWAIT, isEncrypted)
    try set(CURLOPT_TCP_NODELAY, true)
    try set(CURLOPT_TCP_KEEPALIVE, true)
    // A server that moved, or a connection that died without a word, would fail every attempt alike.
    if hop.isAfresh {
      try set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
      try set(CURLOPT_FRESH_CONNECT, true)
    }
    // Refused, harmlessly, by a used handle that still has its buffer: after an exchange that shared its connection.
    try? set(CURLOPT_BUFFERSIZE, Self.bufferByteCount(hop.request, options.bytesPerSecond))
    try set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds(options.stallTime))
    // A proxy's answer to CONNECT is not the response.
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    try set(CURLOPT_USERAGENT, options.userAgent)
    if let proxy = options.proxy { try set(CURLOPT_PROXY, proxy) }
    try setTrust(options)
    try setCredentials(hop.grant, options)
    try setMethod(hop.request)
    try set(headers: hop.headerLines)
  }

  private func setMethod(_ request: HTTPRequest) throws(TransportFault) {
    switch request.method {
    case "GET": break
    case "HEAD": try set(CURLOPT_NOBODY, true)
    case "POST", "PATCH", "DELETE":
      // curl copies the text; without one a POST still says that its body is empty.
      if request.json != nil || request.method == "POST" {
        try set(CURLOPT_COPYPOSTFIELDS, request.json ?? "")
      }
      try set(CURLOPT_CUSTOMREQUEST, request.method)
    default: throw TransportFault(.address, "such a request is not sent")
    }
    if request.purpose == .document { try set(CURLOPT_ACCEPT_ENCODING, "gzip") }
  }

  private func setTrust(_ options: HTTPOptions) throws(TransportFault) {
    if let file = options.certificateAuthorities { try set(CURLOPT_CAINFO, file.path) }
    if options.acceptsAnyCertificate {
      try set(CURLOPT_SSL_VERIFYPEER, false)
      try set(CURLOPT_SSL_VERIFYHOST, false)
    }
  }

  private func setCredentials(_ grant: CredentialScope.Grant, _ options: HTTPOptions)
    throws(TransportFault)
  {
    if let userInfo = grant.userInfo {
      try set(CURLOPT_USERNAME, userInfo.user)
      try set(CURLOPT_PASSWORD, userInfo.password)
    } else if grant.usesNetrc {
      try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
      if let file = options.netrcFile { try set(CURLOPT_NETRC_FILE, file.path) }
    }
    // The handle may come from another request: its cookies stay with curl_easy_reset.
    try set(CURLOPT_COOKIELIST, "ALL")
    if grant.usesCookies { try set(CURLOPT_COOKIEFILE, options.cookieFile?.path) }
  }

  /// Large reads cost fewer calls; under a rate limit small ones keep the flow even.
  ///
  /// A range with an end is a piece that one of several connections brings: sixteen large buffers would be 4 MiB.
  static func bufferByteCount(_ request: HTTPRequest, _ bytesPerSecond: Int64?) -> Int {
    let isPiece = request.range.map { $0.upperBound < .max } ?? false
    let largest = isPiece ? 64 << 10 : 256 << 10
    guard let bytesPerSecond else { return largest }
    return Int(min(max(bytesPerSecond / 16, 1 << 10), Int64(largest)))
  }

  private static func connectMilliseconds(_ stallTime: Duration) -> Int {
    max(1, Int(min(stallTime.seconds, 60) * 1000))
  }
}
