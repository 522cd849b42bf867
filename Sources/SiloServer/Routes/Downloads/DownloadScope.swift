import SiloContract
import SiloStore

/// Whose rows a request may see: those of one device of one profile, or those of the account alone.
enum DownloadScope: Sendable, Hashable {
  /// The rows of a device.
  case device(account: Int64, profile: String, device: String)
  /// The rows without a device.
  case account(Int64)

  /// The scope of a request that may be of either kind.
  ///
  /// - Throws: `Refusal` 400 for a device without a profile.
  init(_ viewer: Viewer) throws(Refusal) {
    guard let device = viewer.deviceID else {
      self = .account(viewer.account)
      return
    }
    guard let profile = viewer.profile else { throw Self.profileRequired }
    self = .device(account: viewer.account, profile: profile.id, device: device)
  }

  /// The scope of a request that makes sense for a device only.
  static func managed(_ viewer: Viewer) throws(Refusal) -> DownloadScope {
    guard viewer.deviceID != nil else {
      throw Refusal(400, .deviceRequired, "X-Silo-Device-Id is required")
    }
    return try DownloadScope(viewer)
  }

  private static let profileRequired = Refusal(
    400, .profileRequired, "X-Profile-Id is required with X-Silo-Device-Id")

  /// Whether the rows belong to a device.
  var isManaged: Bool {
    if case .device = self { true } else { false }
  }

  /// The account.
  var account: Int64 {
    switch self {
    case .device(let account, _, _), .account(let account): account
    }
  }

  /// The condition on the table, with its values.
  var condition: (sql: String, values: [StoreValue]) {
    switch self {
    case .device(let account, let profile, let device):
      (
        "account_id = ? AND device_id = ? AND profile_id = ?",
        [.integer(account), .text(device), .text(profile)]
      )
    case .account(let account): ("account_id = ? AND device_id IS NULL", [.integer(account)])
    }
  }
}
