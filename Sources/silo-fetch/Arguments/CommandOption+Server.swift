extension CommandOption {
  /// The options of `serve`.
  static let server: [CommandOption] = [
    CommandOption(
      name: "listen", kind: .value("HOST:PORT"),
      help: "where to listen (127.0.0.1:8080; port 0 takes a free one)", section: .server),
    CommandOption(
      name: "data", kind: .value("DIR"),
      help: "accounts and registered downloads; one server at a time",
      discussion: """
        Without it a folder of FOLDER's own below $XDG_DATA_HOME/silo-fetch/server. The first start writes \
        an API key into a file there, whose path it tells.
        """, section: .server, completion: .folder),
    CommandOption(
      name: "tls-cert", kind: .value("FILE"),
      help: "speak TLS: the certificate and those above it, PEM", section: .server,
      completion: .file),
    CommandOption(
      name: "tls-key", kind: .value("FILE"), help: "its private key, PEM, without a password",
      section: .server, completion: .file),
    CommandOption(
      name: "add-user", kind: .value("NAME"),
      help: "make an account, or give it another password, then serve", section: .accounts),
    CommandOption(
      name: "password-stdin", kind: .flag, help: "its password is the first line of stdin",
      section: .accounts),
    CommandOption(
      name: "add-profile", kind: .value("USER/NAME"),
      help: "make a profile of an account, or change it, then serve", section: .accounts),
    CommandOption(
      name: "pin-stdin", kind: .flag,
      help: "its PIN is the first line of stdin, or the one after the password",
      section: .accounts),
    CommandOption(
      name: "disable-downloads", kind: .flag, help: "register and serve no downloads",
      section: .limits),
    CommandOption(
      name: "deny-downloads", kind: .value("USER"),
      help: "an account that may not download; may be repeated", section: .limits, repeats: true),
    CommandOption(
      name: "no-transcode", kind: .flag, help: "offer no quality below the source's",
      section: .limits),
    CommandOption(
      name: "deny-transcode", kind: .value("USER"),
      help: "an account that may have no files made; may be repeated", section: .limits,
      repeats: true),
    CommandOption(
      name: "max-concurrent", kind: .value("N"),
      help: "downloads of an account under way at once (3; 0: any number)", section: .limits),
    CommandOption(
      name: "quota", kind: .value("N"),
      help: "downloads that an account may register in a period (any number)", section: .limits),
    CommandOption(
      name: "quota-period", kind: .value("DURATION"), help: "the period: 90m, 24h (default), 7d",
      section: .limits),
    CommandOption(
      name: "bandwidth", kind: .value("RATE"),
      help: "bytes a second to all clients together, such as 20M", section: .limits),
    CommandOption(
      name: "user-bandwidth", kind: .value("RATE"),
      help: "bytes a second to one account, over all its connections", section: .limits),
    CommandOption(name: "json", kind: .flag, help: "JSON on stdout", section: .display),
    CommandOption(
      name: "verbose", letter: "v", kind: .flag, help: "one line per request", section: .display),
  ]
}
