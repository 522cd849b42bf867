import Foundation
import SiloStore

extension DownloadQueue {
  func put(_ wishes: [ItemWish]) async throws -> [Addition] {
    let rows = try Self.encoded(wishes)
    if owner == nil, let wish = wishes.first(where: \.isOfServer) {
      throw DownloadError.nobodySignedIn(subject: wish.name)
    }
    return try await change { connection in
      for wish in wishes { try requireOneItem(wish, in: connection) }
      return try rows.map { wish, json in
        let (number, isNew) = try ItemTable.add(
          wish, of: owner(of: wish), encoded: json, in: connection)
        let effect = isNew ? .added : try Self.addAgain(number, wish, json, in: connection)
        try takeKnownTitle(number, wish, in: connection)
        guard let item = try ItemTable.item(number, in: connection) else {
          throw Self.unknown("\(number)")
        }
        return Addition(item: item, effect: effect)
      }
    }
  }

  /// Whose an item of `wish` is.
  func owner(of wish: ItemWish) -> String? { wish.isOfServer ? owner : nil }

  /// The wishes with what their rows hold of them.
  static func encoded(_ wishes: [ItemWish]) throws -> [(ItemWish, [UInt8])] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try wishes.map { ($0, [UInt8](try encoder.encode($0))) }
  }

  /// Refuses a word that no download could begin with, as `get` would.
  static func requireSource(_ text: String) throws {
    if text.lowercased().hasPrefix("silo:") {
      _ = try SiloReference(text)
    } else {
      _ = try SourceReference(text)
    }
  }

  private static func addAgain(
    _ number: Int64, _ wish: ItemWish, _ json: [UInt8], in connection: borrowing Connection
  ) throws -> Effect {
    guard let item = try ItemTable.item(number, in: connection) else { return .known }
    let before = try ItemTable.wish(of: number, in: connection)
    let file = try FinishedFileTable.file(of: number, in: connection)
    let effect = Self.effect(
      of: wish, over: before, state: item.state, isThere: file?.isStillThere == true)
    switch effect {
    case .running, .finished, .finishedOtherwise: return effect
    case .added, .known, .changed, .again: break
    }
    try ItemTable.change(number, to: wish, encoded: json, in: connection)
    if item.isDamaged || effect == .again { try ItemTable.enter(.waiting, number, in: connection) }
    return item.isDamaged ? .again : effect
  }

  /// What adding `wish` does to an item that was wanted as `before` (pure).
  ///
  /// - Parameter isThere: Whether its finished file is there as it was.
  static func effect(
    of wish: ItemWish, over before: ItemWish?, state: ItemState, isThere: Bool
  ) -> Effect {
    if state.isRunning { return .running }
    let isSame = before.map(wish.isOfSameFile(as:)) ?? true
    guard ItemMove.addAgain.state(after: state) != nil else {
      return before == wish ? .known : .changed
    }
    guard state == .finished, isThere, !wish.overwrites else { return .again }
    if !isSame { return .finishedOtherwise }
    // A server may have another revision of it.
    return wish.isOfServer ? .again : .finished
  }
}
