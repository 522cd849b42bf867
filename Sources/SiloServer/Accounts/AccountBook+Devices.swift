import SiloContract
import SiloStore
import Synchronization

/// A device that waits for a person's word.
struct WaitingDevice: Sendable, Hashable {
  /// The code that it shows.
  var code: String
  /// What it calls itself; `nil` when it does not.
  var name: String?
  /// What it runs on, in its own words.
  var platform: String?

  /// What both screens show.
  var match: String { String(code.suffix(2)) }
}

extension AccountBook {
  /// How many codes may be open at a time: anybody can ask for one.
  static let mostOpenCodes = 256

  /// Begins a sign-in that a person finishes elsewhere.
  ///
  /// - Parameters:
  ///   - request: What the device calls itself.
  ///   - origin: The address of the server as the device wrote it, for the page that it names.
  func startDevice(_ request: DeviceCodeRequest?, origin: String?) async throws -> DeviceCode {
    let secret = Secret.make()
    let fingerprint = try Secret.fingerprint(secret)
    let word = Self.userCode()
    let (now, lifetime) = (now(), lifetimes.deviceCode)
    try await store.write { connection in
      try connection.run("DELETE FROM device_code WHERE expires_at <= ?", [.integer(now)])
      let count = try connection.rows("SELECT count(*) FROM device_code")
      if case .integer(let count)? = count.first?.first, count >= Self.mostOpenCodes {
        throw Refusal(
          429, .tooManyAttempts, "Too many devices are waiting",
          headers: [HeaderField("Retry-After", "60")])
      }
      try connection.run(
        """
        INSERT INTO device_code (fingerprint, user_code, expires_at, name, platform)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          .blob(fingerprint), .text(word), .integer(now + lifetime),
          StoreValue(request?.deviceName.map { String($0.prefix(100)) }),
          StoreValue(request?.devicePlatform.map { String($0.prefix(40)) }),
        ])
    }
    var code = DeviceCode(deviceCode: secret, userCode: word)
    code.matchCode = WaitingDevice(code: word).match
    code.verificationURL = origin.map { $0 + ActivationPage.path }
    code.completeURL = code.verificationURL.map { $0 + "?code=" + word }
    code.expiresAt = Timestamp(seconds: now + lifetime)
    (code.expiresInSeconds, code.intervalSeconds) = (Int(lifetime), 5)
    return code
  }

  /// Asks whether the person said yes; the tokens are given once.
  func pollDevice(_ request: DevicePollRequest) async throws -> DevicePoll {
    let fingerprint = try Secret.fingerprint(request.deviceCode)
    let (now, lifetimes) = (now(), lifetimes)
    return try await store.write { connection in
      let rows = try connection.rows(
        "SELECT account_id, was_denied FROM device_code WHERE fingerprint = ? AND expires_at > ?",
        [.blob(fingerprint), .integer(now)])
      guard let row = rows.first else {
        throw Refusal(404, .notFound, "This code is not known, or not any more")
      }
      if case .integer(1) = row[1] { return DevicePoll(.denied, pollAfterSeconds: 5) }
      guard case .integer(let id) = row[0],
        let account = try StoredAccount.numbered(id, in: connection)
      else { return DevicePoll(.pending, pollAfterSeconds: 5) }
      try connection.run("DELETE FROM device_code WHERE fingerprint = ?", [.blob(fingerprint)])
      return DevicePoll(try Self.begin(account, now, lifetimes, in: connection))
    }
  }

  /// The device that waits with `code`, however it was typed; `nil` when none does.
  ///
  /// - Throws: `Refusal` 429 when the account has tried too many that there are none of.
  func waitingDevice(_ code: String, by account: Int64) async throws -> WaitingDevice? {
    let key = "device \(account)"
    try beginAttempt(key)
    let (spelled, now) = (Self.spelled(code), now())
    let device = try await store.read { connection -> WaitingDevice? in
      let rows = try connection.rows(
        "SELECT user_code, name, platform FROM device_code WHERE \(Self.isWaiting)",
        [.text(spelled), .integer(now)])
      guard let row = rows.first, case .text(let code) = row[0] else { return nil }
      var device = WaitingDevice(code: code)
      if case .text(let name) = row[1] { device.name = name }
      if case .text(let platform) = row[2] { device.platform = platform }
      return device
    }
    // A code that somebody began himself proves nothing: the vain ones before it stay counted.
    if device != nil { attempts.withLock { $0.takeBack(key) } }
    return device
  }

  /// Lets in the device that shows `code`, or refuses it for good.
  ///
  /// - Throws: `Refusal`: 404 when none waits with it, 429 when the account has tried too many.
  func decideDevice(_ code: String, by account: Int64, isApproved: Bool) async throws {
    guard let device = try await waitingDevice(code, by: account) else {
      throw Refusal(404, .notFound, "There is no such code")
    }
    let now = now()
    let change = isApproved ? "account_id = ?" : "was_denied = (? > 0)"
    let isDone = try await store.write { connection in
      try connection.run(
        "UPDATE device_code SET \(change) WHERE \(Self.isWaiting)",
        [.integer(account), .text(device.code), .integer(now)])
      return connection.changeCount > 0
    }
    guard isDone else { throw Refusal(404, .notFound, "There is no such code") }
  }

  /// Nobody has decided yet, and it is not too late.
  private static let isWaiting =
    "user_code = ? AND expires_at > ? AND account_id IS NULL AND was_denied = 0"

  /// A code as it is stored: in capitals, with its dash.
  private static func spelled(_ code: String) -> String {
    let word = code.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(32)
    return word.prefix(4) + "-" + word.dropFirst(4)
  }

  /// Eight letters that are not mistaken for others, as in `BCDF-GHJK`.
  private static func userCode() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let word = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    return String(word[..<4]) + "-" + String(word[4...])
  }
}
