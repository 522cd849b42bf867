import SiloDownloads
import SiloSystem

/// What `login`, `logout` and `status` say.
struct SignInReport: Sendable {
  let display: DisplayOptions
  let surroundings: Surroundings

  /// `status --json`, and what `login --json` prints: no secret is in it.
  private struct AccountJSON: Encodable {
    let url: String
    let username: String?
    let profile: String?
  }

  func show(_ code: SignIn.Code) {
    let place = code.url.map(Redaction.printable) ?? "the server's page for devices"
    surroundings.errors.line("To let this device in, open \(place) in a browser and sign in there.")
    let match = code.match.map { "; both screens show \(Redaction.printable($0))" } ?? ""
    surroundings.errors.line("The code is \(Redaction.printable(code.code))\(match).")
    surroundings.errors.line("Waiting for that; Ctrl-C gives up.")
  }

  func signedIn(_ account: SiloAccount) {
    if display.isJSON { return json(account) }
    if display.isQuiet { return }
    surroundings.output.line("signed in \(Self.text(account))")
  }

  func status(_ account: SiloAccount) {
    if display.isJSON { return json(account) }
    surroundings.output.line("signed in \(Self.text(account))")
  }

  func signedOut(_ account: SiloAccount?) {
    if display.isJSON || display.isQuiet { return }
    surroundings.output.line(
      account.map { "signed out of \(Redaction.printable($0.url))" } ?? "nobody was signed in")
  }

  func warn(_ text: String) {
    if display.isQuiet { return }
    let word = surroundings.terminal(display.color).styled("warning", .yellow)
    surroundings.errors.line("\(word): \(Redaction.printable(text))")
  }

  func fail(_ error: any Error) -> ExitCode {
    let failure = Failure(error)
    if display.isJSON {
      surroundings.output.line(JSONLine.text(EventJSON.failed(id: nil, source: nil, failure)))
    }
    let word = surroundings.terminal(display.color).styled("error", .red)
    surroundings.errors.line("\(word): \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }

  private func json(_ account: SiloAccount) {
    surroundings.output.line(
      JSONLine.text(
        AccountJSON(
          url: account.url, username: account.username, profile: account.profile?.name)))
  }

  private static func text(_ account: SiloAccount) -> String {
    let name = account.username.map { " as \($0)" } ?? ""
    let profile = account.profile.map { " (profile \($0.name))" } ?? ""
    return Redaction.printable("to \(account.url)\(name)\(profile)")
  }
}
