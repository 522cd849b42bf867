/// What a person who gave name and password may decide next: the second step of letting a device in; a pure value.
///
/// The word of a ticket is known to that person's page alone, so it proves, too, that the decision comes from there.
struct ActivationTickets: Sendable {
  /// Who decides, and about which code.
  struct Ticket: Sendable, Hashable {
    /// The account that lets the device in.
    var account: Int64
    /// The code that the device shows.
    var code: String
  }

  /// How long a page may stay open, in seconds.
  static let lifetime: Int64 = 300
  /// How many may be open; the oldest goes first.
  static let most = 256

  private var open: [String: (ticket: Ticket, until: Int64)] = [:]

  /// The word to give back with the decision.
  mutating func issue(_ ticket: Ticket, at now: Int64) -> String {
    open = open.filter { $0.value.until > now }
    if open.count >= Self.most, let oldest = open.min(by: { $0.value.until < $1.value.until }) {
      open[oldest.key] = nil
    }
    let word = Secret.make()
    open[word] = (ticket, now + Self.lifetime)
    return word
  }

  /// The ticket of `word`, once; `nil` when it is not known, or not any more.
  mutating func take(_ word: String, at now: Int64) -> Ticket? {
    guard let entry = open.removeValue(forKey: word), entry.until > now else { return nil }
    return entry.ticket
  }
}
