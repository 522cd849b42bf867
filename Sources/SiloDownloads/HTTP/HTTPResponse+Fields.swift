extension HTTPResponseHead {
  /// The length of this body as the server announces it; `nil` when it does not, or not as a number.
  public var contentLength: Int64? {
    guard let text = self["Content-Length"]?.filter({ $0 != " " }), let count = Int64(text),
      count >= 0
    else { return nil }
    return count
  }

  /// Which bytes of what the body is; `nil` when the field is missing or makes no sense.
  public var contentRange: ContentRange? { self["Content-Range"].flatMap(ContentRange.init) }

  /// Where the body starts in the whole: 0 for a 200; `nil` for a 206 that does not say.
  public var bodyOffset: Int64? { status == 206 ? contentRange?.range?.lowerBound : 0 }

  /// The length of the whole, of which the body may be a part; `nil` when the server does not tell.
  ///
  /// A compressed body's Content-Length is not that of the whole.
  public var totalByteCount: Int64? {
    if status == 206 { return contentRange?.total }
    return isEncoded ? nil : contentLength
  }

  /// Whether it announces more bytes than any file has: the length of a server that is broken or lies.
  ///
  /// curl goes on without a length when the number does not fit, and would take any end for the right one.
  var announcesTooMuch: Bool {
    let longest: Int64 = 1 << 60
    let isNumber = { (text: Substring) in
      !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }
    let total = self["Content-Range"]?.split(separator: "/").last.map { $0.filter { $0 != " " } }
    return [self["Content-Length"]?.filter { $0 != " " }, total].contains { text in
      guard let text, isNumber(text[...]) else { return false }
      return Int64(text) ?? .max > longest
    }
  }

  /// Whether the body is compressed on the way.
  public var isEncoded: Bool {
    guard let coding = self["Content-Encoding"]?.lowercased() else { return false }
    return !coding.split(separator: ",").allSatisfy {
      $0.filter { $0 != " " } == "identity" || $0.allSatisfy { $0 == " " }
    }
  }

  /// What tells this version of the body from another.
  public var validators: HTTPValidators {
    var validators = HTTPValidators(
      entityTag: self["ETag"], lastModified: self["Last-Modified"], totalByteCount: totalByteCount)
    validators.isDateWeak = isDateWeak
    return validators
  }

  /// Whether the file may change again without its date changing: it was written within the last minute, or nobody can tell
  /// (RFC 9110, 8.8.2.2; the minute is RFC 7232's, for clocks that differ).
  private var isDateWeak: Bool {
    guard let modified = self["Last-Modified"].flatMap(HTTPDate.init) else { return true }
    guard let sent = self["Date"].flatMap(HTTPDate.init) else { return true }
    return sent.seconds - modified.seconds < 60
  }
}

/// What tells one version of a file on a server from another.
public struct HTTPValidators: Sendable, Hashable, Codable {
  /// The ETag as sent, quotes and `W/` included.
  public var entityTag: String?
  /// The Last-Modified date as sent.
  public var lastModified: String?
  /// The length of the whole.
  public var totalByteCount: Int64?
  /// Whether the date proves no more than that a file with another one is another.
  public var isDateWeak = false

  /// Validators as far as they are known.
  public init(entityTag: String?, lastModified: String?, totalByteCount: Int64?) {
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.totalByteCount = totalByteCount
  }

  /// The ETag when it promises equality byte for byte.
  public var strongEntityTag: String? {
    guard let entityTag, !entityTag.hasPrefix("W/"), !entityTag.isEmpty else { return nil }
    return entityTag
  }

  /// The date when it promises equality byte for byte.
  private var strongDate: String? { isDateWeak ? nil : lastModified }

  /// What to send as If-Range: the strong ETag, else the date; `nil` when there is neither, or the date is too young.
  public var ifRange: String? { strongEntityTag ?? strongDate }

  /// What differs from `other`, in words; `nil` when nothing that both know does.
  ///
  /// A strong ETag decides alone about the content; without one on both sides the date does.
  public func difference(from other: HTTPValidators) -> String? {
    if let mine = totalByteCount, let theirs = other.totalByteCount, mine != theirs {
      return "its length was \(mine) bytes and is \(theirs)"
    }
    if let mine = strongEntityTag, let theirs = other.strongEntityTag {
      return mine == theirs ? nil : "its ETag is another"
    }
    if let mine = lastModified, let theirs = other.lastModified, mine != theirs {
      return "its modification date is another"
    }
    return nil
  }

  /// Whether `other` has the very validator that this has; the lengths are not compared.
  ///
  /// A strong ETag on both sides decides alone; otherwise the date has to be there, old enough on this side, and equal.
  func isSameVersion(as other: HTTPValidators) -> Bool {
    if let mine = strongEntityTag, let theirs = other.strongEntityTag { return mine == theirs }
    return strongDate != nil && strongDate == other.lastModified
  }
}
