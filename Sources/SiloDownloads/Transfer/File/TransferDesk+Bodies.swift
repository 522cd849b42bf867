import SiloSystem
import Synchronization

extension TransferDesk {
  /// Where a body goes: the claim that it serves, and the byte that comes next.
  struct Place: Sendable {
    var claim: Int
    var position: Int64
    /// The head of a body that is the whole, in place of what is there, if it turns out to be media.
    var replacement: HTTPResponseHead?
  }

  /// Compares the head of the first connection's answer with what is there; returns where its body goes.
  func begin(_ head: HTTPResponseHead, lead place: Place, asked: Range<Int64>?) throws -> Place {
    try requireExpectedLength(head)
    return try state.withLock { state in
      let plan = plan(state, for: place.claim)
      switch plan.answer(to: head, asked: asked) {
      case .take(let first):
        if state.map.written.byteCount == 0 { return try take(head, &state) }
        if state.map.total == nil, let total = head.totalByteCount {
          state.map.learn(total: total)
          state.validators.totalByteCount = total
        }
        note(head, of: place.claim, &state)
        state.isProven = first == plan.written
        return Place(claim: place.claim, position: first)
      case .startOver:
        let difference =
          state.map.written.byteCount > 0
          ? state.validators.difference(from: head.validators) : nil
        let reason = difference.map { "The source changed: \($0)." }
        // Others write into what would be thrown away.
        guard state.lanes.keys.allSatisfy({ $0 == place.claim }) else {
          state.rule.refused(working: 1)
          throw StartOver(
            reason: reason ?? "The server sends no parts any more.", isChange: reason != nil)
        }
        if let reason { try countChange(&state, reason) }
        guard wishes.expectsMedia, state.map.written.byteCount > 0 else {
          return try take(head, &state)
        }
        // A page in place of the media, of a network that wants a sign-in, costs nothing of what is there.
        (state.isShareable, state.isProven) = (false, false)
        return Place(claim: place.claim, position: 0, replacement: head)
      case .askAgain(let reason): throw StartOver(reason: reason)
      case .refuse(let code, let reason):
        throw DownloadError(
          code, reason, subject: Redaction.text(of: head.url), status: head.status)
      }
    }
  }

  /// Refuses the file of another length than somebody vouches for, before a byte of it is written.
  private func requireExpectedLength(_ head: HTTPResponseHead) throws {
    guard let expected = wishes.expectedByteCount, let total = head.totalByteCount,
      total != expected, !TransferPlan.isPage(head)
    else { return }
    throw unexpected(total)
  }

  /// The error of a file that has `byteCount` bytes in place of those that were expected.
  func unexpected(_ byteCount: Int64) -> DownloadError {
    failure(
      .integrity,
      "The server sends a file of \(byteCount) bytes, and its manifest says \(wishes.expectedByteCount ?? 0)."
    )
  }

  /// Takes a body as the whole, from its first byte on.
  private func take(_ head: HTTPResponseHead, _ state: inout State) throws -> Place {
    state.isAlone = state.isAlone || state.dropped == head.validators
    try restart(&state, head.validators)
    guard let claim = state.map.claimRest() else { throw Enough() }
    state.lanes[claim.id] = Lane(isLead: true, started: now(), last: now())
    note(head, of: claim.id, &state)
    state.isProven = true
    return Place(claim: claim.id, position: 0)
  }

  private func note(_ head: HTTPResponseHead, of claim: Int, _ state: inout State) {
    state.head = head
    state.digests.formUnion(wishes.digests(head))
    state.lanes[claim]?.answerEnd = head.contentRange?.range?.upperBound ?? state.map.total
    state.lanes[claim]?.last = now()
    state.isShareable =
      !state.isFickle && !state.isAlone
      && TransferPlan(validators: state.validators).isShareable(by: head)
    follow(&state)
  }

  /// Compares the head of the answer to one more connection with what is there.
  func begin(_ head: HTTPResponseHead, at place: Place, asked: Range<Int64>) throws {
    try state.withLock { state in
      guard state.lanes[place.claim] != nil else { throw Enough() }
      let plan = TransferPlan(written: asked.lowerBound, validators: state.validators)
      switch plan.answer(to: head, ofPiece: asked) {
      case .take: break
      case .decline: throw Declined()
      case .changed(let reason):
        let isSameLength = head.totalByteCount == state.map.total
        if isSameLength, state.changes > 0 {
          // Every answer has another tag: what one connection brings is of one version all the same.
          (state.isFickle, state.isShareable) = (true, false)
          throw Declined()
        }
        throw StartOver(reason: reason)
      }
      state.lanes[place.claim]?.answerEnd = head.contentRange?.range?.upperBound
      state.lanes[place.claim]?.last = now()
    }
  }

  /// Writes what came where it belongs and is missing.
  func receive(_ bytes: RawSpan, at place: inout Place) throws {
    var told: (Int64, Int64?)?
    defer { if let told { wishes.report(told.0, told.1) } }
    try state.withLock { state in
      guard state.lanes[place.claim] != nil else { throw Enough() }
      if let head = place.replacement {
        try requireMedia(bytes)
        place = try take(head, &state)
      }
      state.received += Int64(bytes.byteCount)
      state.lanes[place.claim]?.byteCount += Int64(bytes.byteCount)
      state.lanes[place.claim]?.last = now()
      defer { told = progress(&state) }
      try write(bytes, at: &place, &state)
      guard let claim = state.map.claims[place.claim], place.position >= claim.position else {
        return
      }
      state.isProven = true
      if claim.position >= claim.end, let end = state.lanes[place.claim]?.answerEnd, end > claim.end
      {
        throw Enough()
      }
    }
  }

  private func write(_ bytes: RawSpan, at place: inout Place, _ state: inout State) throws {
    var rest = bytes
    while rest.byteCount > 0 {
      let start = state.map.claims[place.claim]?.position ?? place.position
      var count = Int(min(max(0, start - place.position), Int64(rest.byteCount)))
      if count > 0 {
        try compare(rest.extracting(first: count), at: place.position)
      } else {
        switch state.map.placement(of: rest.byteCount, for: place.claim) {
        case .skip(let skipped): count = skipped
        case .write(let written):
          count = written
          try append(rest.extracting(first: count), at: place, &state)
        case .enough:
          if state.map.takeOver(place.claim) { continue }
          guard place.position == state.map.total else { throw Enough() }
          throw failure(.integrity, "The server sends more bytes than it announced.")
        }
        state.map.advance(place.claim, by: count)
      }
      place.position += Int64(count)
      rest = rest.extracting(droppingFirst: count)
    }
  }

  private func requireMedia(_ bytes: RawSpan) throws {
    guard let kind = MediaSniff.foreignKind(bytes) else { return }
    throw failure(.unsupported, "The server sent \(kind) instead of media.")
  }

  private func compare(_ bytes: RawSpan, at position: Int64) throws {
    let stored = try part.descriptor.read(at: position, count: bytes.byteCount)
    let isEqual = bytes.withUnsafeBytes { $0.elementsEqual(stored) }
    guard isEqual else { throw StartOver(reason: "The source changed: its bytes are others.") }
  }

  private func append(_ bytes: RawSpan, at place: Place, _ state: inout State) throws {
    if place.position == 0, wishes.expectsMedia { try requireMedia(bytes) }
    let (end, overflow) = place.position.addingReportingOverflow(Int64(bytes.byteCount))
    guard !overflow else {
      throw failure(.integrity, "The server sends more bytes than it announced.")
    }
    do {
      try part.descriptor.write(bytes, at: place.position)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
    part.note(place.position..<end, of: place.claim)
    state.unmarked += Int64(bytes.byteCount)
  }

  /// What follows from the bytes that were written; what is to be told, now and then.
  private func progress(_ state: inout State) -> (Int64, Int64?)? {
    if state.unmarked >= Self.markByteCount {
      state.unmarked = 0
      wishes.needsMark()
    }
    if state.map.written.front - state.followed >= 1 << 20 { follow(&state) }
    let byteCount = state.map.written.byteCount
    guard byteCount > state.furthest + 256 << 10 else { return nil }
    state.furthest = byteCount
    return (byteCount, state.map.total)
  }

  func failure(_ code: DownloadError.Code, _ message: String) -> DownloadError {
    DownloadError(code, message, subject: Redaction.text(of: request.url))
  }
}
