import Foundation
import SiloSystem

/// One connection to the fault server: requests in, scripted answers out.
struct FaultConnection {
  let desk: FaultDesk
  let socket: FaultSocket
  let number: Int

  /// Answers requests until the peer, a fault, or the server's end closes the connection.
  func serve() {
    var pending: [UInt8] = []
    while let request = nextRequest(&pending) {
      let (answer, ticket) = desk.answer(to: request)
      if let delay = answer.faults.delay, !socket.rest(for: delay, until: desk.ending) { return }
      while let pause = answer.faults.hints {
        guard socket.send(Array("HTTP/1.1 103 Hints\r\n\r\n".utf8)[...], until: desk.ending),
          socket.rest(for: pause, until: desk.ending)
        else { return }
      }
      if answer.faults.hangsUp { break }
      let reply = FaultReply(answer, to: request, resource: desk.resource(at: request.path))
      desk.note(ticket) { $0.status = reply.status }
      guard send(reply, to: request.path, ticket: ticket) else {
        if answer.faults.resets { socket.reset() } else { socket.finish(until: desk.ending) }
        return
      }
      if request.header("Connection")?.lowercased() == "close" { break }
    }
    socket.finish(until: desk.ending)
  }

  /// Sends an answer; false when the connection ends with it.
  private func send(_ reply: FaultReply, to path: String, ticket: FaultDesk.Ticket) -> Bool {
    guard socket.send(reply.head[...], until: desk.ending) else { return false }
    guard reply.hasBody else { return !reply.endsConnection }
    var sent: Int64 = 0
    let end = min(reply.body.byteCount, reply.faults.cut ?? .max)
    // A body that is shorter is whole: nobody can tell that the server would have been silent.
    var stall = reply.faults.stallAt.flatMap { $0 < end || end == 0 ? $0 : nil }
    var hold = reply.faults.hold
    while sent < end || stall != nil {
      if let (after, count) = hold, sent >= min(after, end) {
        hold = nil
        guard desk.waitForRequests(count, for: path) else { return false }
      }
      if let at = stall, sent >= at {
        stall = nil
        guard socket.rest(for: reply.faults.stallFor, until: desk.ending) else { return false }
        continue
      }
      var count = Int64(reply.faults.drip?.count ?? 65_536)
      count = min(count, end - sent, (stall ?? .max) - sent, (hold?.after ?? .max) - sent)
      guard let piece = reply.body.bytes(at: sent, count: Int(count)), !piece.isEmpty else {
        return false
      }
      // A cut inside a chunk: the last one claims more than comes.
      let isCut = sent + Int64(piece.count) == end && end < reply.body.byteCount
      guard send(piece, of: reply, claiming: isCut ? 1000 : 0, ticket: ticket) else {
        return false
      }
      sent += Int64(piece.count)
      if let drip = reply.faults.drip, sent < end {
        guard socket.rest(for: drip.every, until: desk.ending) else { return false }
      }
    }
    if end < reply.body.byteCount { return false }
    if reply.isChunked, !socket.send(Array("0\r\n\r\n".utf8)[...], until: desk.ending) {
      return false
    }
    return !reply.endsConnection
  }

  private func send(
    _ piece: [UInt8], of reply: FaultReply, claiming excess: Int, ticket: FaultDesk.Ticket
  ) -> Bool {
    // Counted first: whoever has received the last byte finds it in the record.
    desk.note(ticket) { $0.bytesSent += Int64(piece.count) }
    var wire = piece
    if reply.isChunked {
      let size = String(piece.count + excess, radix: 16)
      wire = Array("\(size)\r\n".utf8) + piece + (excess > 0 ? [] : [13, 10])
    }
    guard socket.send(wire[...], until: desk.ending) else {
      desk.note(ticket) { $0.bytesSent -= Int64(piece.count) }
      return false
    }
    return true
  }

  private func nextRequest(_ pending: inout [UInt8]) -> FaultRequest? {
    let separator: [UInt8] = [13, 10, 13, 10]
    var head: Range<Int>?
    while true {
      head = pending.firstRange(of: separator)
      if head != nil { break }
      let more = socket.received(until: desk.ending)
      guard !more.isEmpty, pending.count < 1 << 18 else { return nil }
      pending += more
    }
    guard let head else { return nil }
    let lines = String(decoding: pending[..<head.lowerBound], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    pending.removeFirst(head.upperBound)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      return (String(line[..<colon]), value)
    }
    func field(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value.lowercased()
    }
    if field("expect") == "100-continue" {
      _ = socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...], until: desk.ending)
    }
    let length = min(Int(field("content-length") ?? "0") ?? 0, 1 << 26)
    while pending.count < length {
      let more = socket.received(until: desk.ending)
      if more.isEmpty { return nil }
      pending += more
    }
    let body = Array(pending.prefix(length))
    pending.removeFirst(length)
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return FaultRequest(
      method: String(words[0]), path: String(target[0]),
      query: target.count > 1 ? String(target[1]) : nil, headers: headers, body: body,
      time: desk.age, connection: number)
  }
}
