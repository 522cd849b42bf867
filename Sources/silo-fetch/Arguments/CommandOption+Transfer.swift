extension CommandOption {
  /// How bytes are fetched: `get` alone.
  static let transfer: [CommandOption] = [
    CommandOption(
      name: "jobs", letter: "j", kind: .value("N"), help: "items at once (2)", section: .transfer),
    CommandOption(
      name: "connections", letter: "c", kind: .value("N"),
      help: "connections for one item, while they help (16 segments of HLS; 8 for a file)",
      section: .transfer),
    CommandOption(
      name: "limit-rate", kind: .value("RATE"),
      help: "bytes a second of all items together: 500K, 2M", section: .transfer),
    CommandOption(
      name: "wait-for-space", kind: .value("SECONDS"),
      help: "how long an item waits on a full disk for space before it fails (30; 0: not at all)",
      section: .transfer),
    CommandOption(
      name: "poll", kind: .value("SECONDS"),
      help: "how often a file that a Silo server still prepares is asked for (15)",
      section: .transfer),
  ]

  /// How a request is made: `get` and `probe`.
  static let requests: [CommandOption] = [
    CommandOption(
      name: "header", kind: .value("'N: V'"),
      help: "sent to the source's origin only; may be repeated", section: .requests,
      repeats: true),
    CommandOption(
      name: "user-agent", kind: .value("TEXT"), help: "the User-Agent header",
      section: .requests),
    CommandOption(
      name: "proxy", kind: .value("URL"), help: "a proxy as curl writes it", section: .requests),
    CommandOption(
      name: "cacert", kind: .value("FILE"), help: "certificate authorities to trust",
      section: .requests, completion: .file),
    CommandOption(
      name: "insecure", kind: .flag, help: "accept any certificate", section: .requests),
    CommandOption(
      name: "netrc", kind: .flag, help: "look for credentials in ~/.netrc", section: .requests),
    CommandOption(
      name: "netrc-file", kind: .value("FILE"), help: "look for credentials in FILE",
      section: .requests, completion: .file),
    CommandOption(
      name: "cookies", kind: .value("FILE"), help: "a Netscape cookie file, read only",
      section: .requests, completion: .file),
    CommandOption(
      name: "retry", kind: .value("N"), help: "attempts of a request without progress (10)",
      section: .requests),
    CommandOption(
      name: "timeout", kind: .value("SECONDS"),
      help: "seconds without a byte after which an attempt is given up (30)", section: .requests),
  ]

  /// What `probe` prints.
  static let probeDisplay: [CommandOption] = [
    CommandOption(name: "json", kind: .flag, help: "JSON on stdout", section: .display),
    CommandOption(
      name: "quiet", letter: "q", kind: .flag, help: "only errors on stderr", section: .display),
    CommandOption(
      name: "verbose", letter: "v", kind: .flag,
      help: "say more, such as the reason for each track",
      section: .display),
    CommandOption(
      name: "color", kind: .value("WHEN"), help: "auto (default), always or never",
      section: .display, completion: .words(["auto", "always", "never"])),
  ]

  /// What `get` prints.
  static let display: [CommandOption] =
    probeDisplay + [
      CommandOption(
        name: "no-progress", kind: .flag, help: "no progress lines", section: .display)
    ]
}
