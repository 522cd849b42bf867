import SiloDownloads
import SiloSystem

/// `status`: who is signed in, from what is stored.
struct StatusCommand: Sendable {
  let display: DisplayOptions
  let surroundings: Surroundings

  /// Prints it; never throws.
  func run() async -> ExitCode {
    let report = SignInReport(display: display, surroundings: surroundings)
    do {
      guard let account = try await surroundings.credentialFile().read() else {
        throw DownloadError.nobodySignedIn()
      }
      report.status(account)
      return .success
    } catch {
      return report.fail(error)
    }
  }
}

/// `logout`: forgets the sign-in, and has the server forget it.
struct LogoutCommand: Sendable {
  let http: HTTPOptions
  let display: DisplayOptions
  let surroundings: Surroundings

  /// Ends the sign-in; the server's silence does not keep it here.
  func run() async -> ExitCode {
    let report = SignInReport(display: display, surroundings: surroundings)
    do {
      let file = try surroundings.credentialFile()
      let account = (try? await file.read()) ?? nil
      if account != nil {
        do {
          var options = http
          options.attempts = 1
          try await SiloSession.open(file, options).logOut()
        } catch let error as DownloadError {
          report.warn("The server was not told: \(error.message)")
        }
      }
      let lock = try await file.hold()
      defer { lock.release() }
      try await file.replace(nil, under: lock)
      report.signedOut(account)
      if let account, case let count = await Outbox().count(of: account), count > 0 {
        report.warn(
          "\(count) \(count == 1 ? "download that was" : "downloads that were") removed here could not be removed at the server; that happens when the same profile signs in again."
        )
      }
      return .success
    } catch {
      return report.fail(error)
    }
  }
}
