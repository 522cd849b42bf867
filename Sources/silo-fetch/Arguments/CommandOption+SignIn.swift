extension CommandOption {
  /// Who signs in, and how that is proven: `login`.
  static let signIn: [CommandOption] = [
    CommandOption(
      name: "username", letter: "u", kind: .value("NAME"),
      help: "the account; the password is asked for on the terminal", section: .signIn),
    CommandOption(
      name: "password-stdin", kind: .flag, help: "the password is the first line of stdin",
      section: .signIn),
    CommandOption(
      name: "api-key-stdin", kind: .flag, help: "a key (sa_...) is the first line of stdin",
      section: .signIn),
    CommandOption(
      name: "device", kind: .flag,
      help: "show a page and a code, to let this device in with a browser",
      section: .signIn),
    CommandOption(
      name: "profile", kind: .value("NAME"), help: "who of the household watches",
      section: .signIn),
    CommandOption(
      name: "pin-stdin", kind: .flag,
      help: "the profile's PIN is the next line of stdin", section: .signIn),
  ]

  /// How a server is reached: the requests' options without other credentials than the sign-in.
  static let connection: [CommandOption] = requests.filter {
    ["user-agent", "proxy", "cacert", "insecure", "retry", "timeout"].contains($0.name)
  }
}
