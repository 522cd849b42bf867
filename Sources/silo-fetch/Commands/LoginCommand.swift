import SiloDownloads
import SiloSystem

/// `login`: signs in to a server, or switches the profile there.
struct LoginCommand: Sendable {
  private let address: SiloAddress
  private let settings: LoginOptions
  private let http: HTTPOptions
  private let display: DisplayOptions
  private let surroundings: Surroundings

  /// Reads the settings and the server of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    do {
      address = try SiloAddress(invocation.arguments.first ?? "")
    } catch {
      throw UsageError(Failure(error).message)
    }
    self.settings = try LoginOptions(settings)
    let options = try HTTPOptions(settings)
    try HTTPOptions.checkFiles(settings, surroundings.fault)
    display = try DisplayOptions(settings)
    http = RetryLines.telling(options, display, surroundings)
    self.surroundings = surroundings
  }

  /// Signs in and says so; never throws: a failure is printed and becomes the exit code.
  func run() async -> ExitCode {
    let report = SignInReport(display: display, surroundings: surroundings)
    do {
      let (proof, pin) = try await secrets()
      let signIn = SignIn(address, file: try surroundings.credentialFile(), options: http)
      let outcome = try await signIn.run(
        proof, profile: settings.profile, pin: pin, deviceName: Surroundings.hostName()
      ) { report.show($0) }
      for warning in outcome.warnings { report.warn(warning) }
      report.signedIn(outcome.account)
      return .success
    } catch {
      return report.fail(error)
    }
  }

  /// The lines of stdin that were announced, else what is typed.
  private func secrets() async throws -> (SignIn.Proof, pin: String?) {
    var lines = try await surroundings.secretLines(settings.lineCount)
    let proof: SignIn.Proof
    switch settings.proof {
    case .key: proof = .key(lines.removeFirst())
    case .device: proof = .device
    case .stored: proof = .stored
    case .password(let username, let isFromInput):
      let password =
        isFromInput
        ? lines.removeFirst()
        : try await SecretPrompt.ask(
          "Password of \(Redaction.printable(username)) at \(address): ")
      proof = .password(username: username, password: password)
    }
    return (proof, pin: lines.first)
  }
}

/// How `login` is told to prove who asks.
struct LoginOptions: Sendable, Equatable {
  enum Proof: Sendable, Equatable {
    case password(username: String, isFromInput: Bool)
    case key
    case device
    case stored
  }

  let proof: Proof
  let profile: String?
  let hasPIN: Bool

  /// How many lines of stdin are secrets.
  var lineCount: Int {
    let isFirst =
      switch proof {
      case .password(_, let isFromInput): isFromInput
      case .key: true
      case .device, .stored: false
      }
    return (isFirst ? 1 : 0) + (hasPIN ? 1 : 0)
  }

  init(_ settings: Settings) throws(UsageError) {
    let username = settings.text("username")
    let isPassword = try settings.isOn("password-stdin")
    let isKey = try settings.isOn("api-key-stdin")
    let isDevice = try settings.isOn("device")
    guard [username != nil || isPassword, isKey, isDevice].count(where: { $0 }) <= 1 else {
      throw UsageError("--username, --api-key-stdin and --device exclude each other")
    }
    if isKey {
      proof = .key
    } else if isDevice {
      proof = .device
    } else if let username {
      proof = .password(username: username, isFromInput: isPassword)
    } else if isPassword {
      throw UsageError("--password-stdin wants --username")
    } else {
      proof = .stored
    }
    profile = settings.text("profile")
    hasPIN = try settings.isOn("pin-stdin")
  }
}
