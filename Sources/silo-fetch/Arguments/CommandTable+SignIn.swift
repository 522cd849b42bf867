extension Command {
  static let login = Command(
    name: "login", abstract: "sign in to a Silo server",
    usage: ["login [OPTIONS] URL"],
    discussion: [
      """
      Signs in by password, by key or by a code, and keeps that in a file which only you can read. \
      With --profile alone it switches to another profile of the server that is signed in to.
      """,
      """
      No secret is ever an argument: with --password-stdin or --api-key-stdin it is the first line of stdin, \
      and with --pin-stdin the PIN is the line after it.
      """,
    ],
    arguments: [
      CommandArgument(
        name: "URL", help: "the server, such as https://media.example:8080", count: 1...1)
    ],
    options: CommandOption.signIn + CommandOption.connection + CommandOption.probeDisplay,
    examples: [
      Example(
        line: "silo-fetch login https://media.example -u ada --profile Ada",
        text: "asks for the password on the terminal"),
      Example(
        line: "silo-fetch login http://127.0.0.1:8080 --api-key-stdin < key",
        text: "with a key out of a file, for a machine that nobody sits at"),
    ])

  static let logout = Command(
    name: "logout", abstract: "end the sign-in, here and at the server", usage: ["logout"],
    discussion: ["What was downloaded stays, and plays without a sign-in."],
    options: CommandOption.connection + CommandOption.probeDisplay)

  static let status = Command(
    name: "status", abstract: "say who is signed in, and where", usage: ["status"],
    discussion: ["Reads what is stored, without the network; exit status 4 when nobody is."],
    options: CommandOption.probeDisplay)

  static let search = Command(
    name: "search", abstract: "find items of the server that is signed in to",
    usage: ["search [OPTIONS] TEXT..."],
    discussion: ["The first column is what `get`, `probe` and `season` take."],
    arguments: [CommandArgument(name: "TEXT", help: "words of the title", count: 1...Int.max)],
    options: [
      CommandOption(
        name: "limit", kind: .value("N"), help: "at most so many (20)", section: .output)
    ] + CommandOption.connection + CommandOption.probeDisplay,
    examples: [
      Example(line: "silo-fetch search big buck", text: "films, series and episodes by name")
    ])

  static let season = Command(
    name: "season", abstract: "download every episode of a series of the server",
    usage: ["season [OPTIONS] silo:SERIES"],
    discussion: [
      """
      Each episode is an item of its own: one that fails does not stop the others, and running the same command \
      again goes on where it was. Episodes without a file on the server are skipped.
      """
    ],
    arguments: [
      CommandArgument(name: "SERIES", help: "the series, as search prints it", count: 1...1)
    ],
    options: [
      CommandOption(
        name: "season", kind: .value("N"), help: "only this season; 0 are the specials",
        section: .tracks)
    ] + CommandOption.tracks + CommandOption.quality + CommandOption.keeping
      + CommandOption.output
      + CommandOption.transfer + CommandOption.connection + CommandOption.running
      + CommandOption.display,
    examples: [
      Example(
        line: "silo-fetch season silo:SERIES --season 2 --audio tr,en -o Series/",
        text: "the second season in two languages")
    ])
}
