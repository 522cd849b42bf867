import SiloDownloads
import SiloMedia
import SiloSystem

/// A shortage of space in words.
enum SpaceText {
  /// What is full, how much is missing, and that the item goes on by itself.
  static func text(_ shortage: SpaceShortage) -> String {
    let what = shortage.message.prefix { $0 != "." }
    guard let needed = shortage.neededByteCount, let available = shortage.availableByteCount else {
      return "\(what). Waiting for space; what arrived is kept"
    }
    return
      "\(what): \(ByteCount.text(needed)) more are needed, \(ByteCount.text(available)) are there. Waiting for space; what arrived is kept"
  }
}
