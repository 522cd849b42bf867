import SiloContract
import SiloStore
import Synchronization

extension AccountBook {
  /// How many codes may be open at a time: anybody can ask for one.
  static let mostOpenCodes = 256

  /// Begins a sign-in that a person finishes elsewhere.
  ///
  /// - Parameter origin: The address of the server as the device wrote it, for the page that it names.
  func startDevice(origin: String?) async throws -> DeviceCode {
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
        "INSERT INTO device_code (fingerprint, user_code, expires_at) VALUES (?, ?, ?)",
        [.blob(fingerprint), .text(word), .integer(now + lifetime)])
    }
    var code = DeviceCode(deviceCode: secret, userCode: word)
    code.matchCode = String(word.suffix(2))
    code.verificationURL = origin.map { $0 + "/api/v1/auth/device/approve" }
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
        "SELECT account_id FROM device_code WHERE fingerprint = ? AND expires_at > ?",
        [.blob(fingerprint), .integer(now)])
      guard let row = rows.first else {
        throw Refusal(404, .notFound, "This code is not known, or not any more")
      }
      guard case .integer(let id) = row[0],
        let account = try StoredAccount.numbered(id, in: connection)
      else { return DevicePoll(.pending, pollAfterSeconds: 5) }
      try connection.run("DELETE FROM device_code WHERE fingerprint = ?", [.blob(fingerprint)])
      return DevicePoll(try Self.begin(account, now, lifetimes, in: connection))
    }
  }

  /// Lets in the device that shows `code`.
  func approveDevice(_ code: String, by account: Int64) async throws {
    try beginAttempt("device \(account)")
    let word = code.uppercased().filter { $0.isLetter || $0.isNumber }
    let spelled = word.prefix(4) + "-" + word.dropFirst(4)
    let now = now()
    let isKnown = try await store.write { connection in
      try connection.run(
        """
        UPDATE device_code SET account_id = ?
        WHERE user_code = ? AND expires_at > ? AND account_id IS NULL
        """, [.integer(account), .text(String(spelled)), .integer(now)])
      return connection.changeCount > 0
    }
    guard isKnown else { throw Refusal(404, .notFound, "There is no such code") }
    attempts.withLock { $0.succeed("device \(account)") }
  }

  /// Eight letters that are not mistaken for others, as in `BCDF-GHJK`.
  private static func userCode() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let word = (0..<8).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] }
    return String(word[..<4]) + "-" + String(word[4...])
  }
}
