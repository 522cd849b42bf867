extension CommandTable {
  /// The command table of silo-fetch.
  static let siloFetch = CommandTable(
    program: "silo-fetch",
    abstract: "Takes media offline with every language you chose, and proves what lies on disk.",
    commands: [
      .get, .probe, .season, .search, .login, .logout, .status, .add, .queue, .library, .storage,
      .serve,
      .completion, .help,
    ],
    defaultCommand: "get")
}

extension Command {
  static let get = Command(
    name: "get", abstract: "download a source with the chosen tracks (the default command)",
    usage: ["[OPTIONS] SOURCE...", "get [OPTIONS] SOURCE..."],
    discussion: [
      """
      Looks into each SOURCE, chooses the tracks, says what they cost, transfers, verifies and packages them \
      into one file. Running the same command again continues what was stopped and skips what is finished.
      """,
      """
      SOURCE is an http(s) URL of a media file or an HLS playlist, an item silo:ID of the server that is \
      signed in to, or a local file, folder or .m3u8. Without \
      --audio every audio track is kept.
      """,
    ],
    arguments: [
      CommandArgument(
        name: "SOURCE", help: "a URL, silo:ID, or a local file, folder or .m3u8", count: 0...Int.max
      )
    ],
    options: CommandOption.tracks + CommandOption.quality + CommandOption.keeping
      + CommandOption.output + CommandOption.transfer + CommandOption.requests
      + CommandOption.running
      + CommandOption.display,
    examples: [
      Example(
        line: "silo-fetch --audio tr,en https://example.org/film/master.m3u8 -o film.mkv",
        text: "Turkish first, English to switch to, in one Matroska file"),
      Example(
        line: "silo-fetch -n --max-size 2G https://example.org/film.mkv",
        text: "say what it would cost, and whether it fits; download nothing"),
      Example(
        line: "silo-fetch --from-file season.txt -o Season/ -j 3 --json",
        text: "a list of sources, three at once, events as JSON lines"),
    ])

  static let probe = Command(
    name: "probe", abstract: "show the tracks of a source, their bytes, and what would be chosen",
    usage: ["probe [OPTIONS] SOURCE"],
    discussion: [
      """
      Downloads nothing but what the inventory needs: a few small ranges of a file, or the playlists and at \
      most one segment per rendition of an HLS presentation.
      """
    ],
    arguments: [
      CommandArgument(
        name: "SOURCE", help: "a URL, silo:ID, or a local file, folder or .m3u8", count: 1...1)
    ],
    options: CommandOption.tracks + CommandOption.requests + CommandOption.probeDisplay,
    examples: [
      Example(
        line: "silo-fetch probe https://example.org/film.mp4", text: "every track with its bytes"),
      Example(
        line: "silo-fetch probe --audio ja,en --json film.mkv",
        text: "the same and the choice, for a script"),
    ])

  static let serve = Command(
    name: "serve", abstract: "serve a folder of media over HTTP, as files and as multi-audio HLS",
    usage: ["serve [OPTIONS] FOLDER"],
    discussion: [
      """
      Every media file of FOLDER is served with ranges and validators, and as an HLS presentation with one \
      rendition per audio track at /hls/NAME/master.m3u8. Only this machine can reach it unless --listen \
      says otherwise. SIGTERM stops it after the running requests, SIGHUP looks at the folder again.
      """,
      """
      Below /api/v1 it is a Silo server: accounts, profiles and downloads registered by a device. The first \
      start makes an account and an API key; the account has no password until --add-user gives it one.
      """,
    ],
    arguments: [
      CommandArgument(
        name: "FOLDER", help: "the folder whose media files are served", count: 1...1,
        completion: .folder)
    ],
    options: CommandOption.server,
    examples: [
      Example(
        line: "silo-fetch serve Films --listen 127.0.0.1:0 --json",
        text: "on a free port; the first line on stdout names it"),
      Example(
        line: "silo-fetch serve Films --add-user ayse --password-stdin < password",
        text: "with an account that signs in with a password"),
    ])

  static let completion = Command(
    name: "completion", abstract: "print the completion script of a shell",
    usage: ["completion bash|zsh|fish"],
    arguments: [
      CommandArgument(
        name: "SHELL", help: "bash, zsh or fish", count: 1...1,
        completion: .words(["bash", "zsh", "fish"]))
    ],
    examples: [
      Example(
        line: "source <(silo-fetch completion bash)", text: "completion for this bash session")
    ])

  static let help = Command(
    name: "help", abstract: "print the help of a command", usage: ["help [COMMAND]"],
    arguments: [
      CommandArgument(
        name: "COMMAND", help: "the command to explain", count: 0...1,
        completion: .words([
          "get", "probe", "season", "search", "login", "logout", "status", "add", "queue",
          "library",
          "storage", "serve",
          "completion",
        ]))
    ],
    options: [
      CommandOption(
        name: "man", kind: .flag, help: "print the manual page in roff", section: .display)
    ],
    isHidden: true)
}
