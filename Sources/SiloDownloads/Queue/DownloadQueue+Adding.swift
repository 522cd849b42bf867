import Foundation
import SiloStore

extension DownloadQueue {
  func put(_ wishes: [ItemWish]) async throws -> [(item: QueueItem, isNew: Bool)] {
    let rows = try Self.encoded(wishes)
    if owner == nil, let wish = wishes.first(where: \.isOfServer) {
      throw DownloadError(
        .auth, "Nobody is signed in. Sign in with: silo-fetch login URL", subject: wish.name)
    }
    return try await change { connection in
      try rows.map { wish, json in
        let (number, isNew) = try ItemTable.add(
          wish, of: owner(of: wish), encoded: json, in: connection)
        if !isNew { try Self.addAgain(number, wish, json, in: connection) }
        guard let item = try ItemTable.item(number, in: connection) else {
          throw Self.unknown("\(number)")
        }
        return (item, isNew)
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

  private static func addAgain(
    _ number: Int64, _ wish: ItemWish, _ json: [UInt8], in connection: borrowing Connection
  ) throws {
    guard let item = try ItemTable.item(number, in: connection) else { return }
    if item.state.isRunning { return }
    try ItemTable.change(number, to: wish, encoded: json, in: connection)
    if item.isDamaged || ItemMove.addAgain.state(after: item.state) != nil {
      try ItemTable.enter(.waiting, number, in: connection)
    }
  }
}
