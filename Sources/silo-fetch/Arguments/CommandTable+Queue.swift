extension Command {
  static let add = Command(
    name: "add", abstract: "put sources into the queue; `queue run` downloads them",
    usage: ["add [OPTIONS] SOURCE..."],
    discussion: [
      """
      Notes what is wanted and where it goes, and asks no server. The same source for the same place is one item, however \
      often it is added: its wish is the newest, and what had failed waits again. Values of headers, and user and password \
      of an address, are not kept: such an item says what it needs, and `queue run ID --header ...` gives it.
      """
    ],
    arguments: [
      CommandArgument(
        name: "SOURCE", help: "a URL, silo:ID, or a local file, folder or .m3u8", count: 0...Int.max
      )
    ],
    options: CommandOption.tracks + CommandOption.quality + CommandOption.keeping
      + CommandOption.output
      + CommandOption.running.filter { $0.name == "from-file" }
      + CommandOption.requests.filter { $0.name == "header" } + CommandOption.probeDisplay,
    examples: [
      Example(
        line: "silo-fetch add --audio tr,en --from-file season.txt -o Season/",
        text: "a season for tonight")
    ])

  static let queue = Command(
    name: "queue", abstract: "list the queue, run it, or change items in it",
    usage: [
      "queue [--json]", "queue run [OPTIONS] [ID...]", "queue pause|resume|cancel ID...",
      "queue remove ID...|--failed|--cancelled|--finished", "queue retry ID...|--failed",
      "queue limit [N]",
    ],
    discussion: [
      """
      `queue run` downloads what waits, and what is added meanwhile, until nothing waits. It continues what was killed. \
      A failure that a retry may mend is retried after a pause, 4 times without a byte, and then by the next run; a full \
      disk leaves the item to that, too. Only one process runs the queue; the other commands never wait for it.
      """,
      """
      `pause` keeps what arrived, `cancel` removes it; both stop a download of any process within a second. `remove` \
      takes items off the list: unfinished ones as `cancel` does, of finished ones the file stays.
      """,
    ],
    arguments: [
      CommandArgument(
        name: "ACTION", help: "run, pause, resume, cancel, retry, remove or limit, and the ids",
        count: 0...Int.max,
        completion: .words(["run", "pause", "resume", "cancel", "retry", "remove", "limit"]))
    ],
    options: [
      CommandOption(
        name: "failed", kind: .flag, help: "retry, or remove, every item that failed",
        section: .transfer),
      CommandOption(
        name: "cancelled", kind: .flag, help: "remove every item that was given up",
        section: .transfer),
      CommandOption(
        name: "finished", kind: .flag, help: "take every finished item off the list",
        section: .transfer),
    ] + CommandOption.transfer + CommandOption.requests
      + CommandOption.running.filter { $0.name == "on-complete" } + CommandOption.display,
    examples: [
      Example(line: "silo-fetch queue run -j 3", text: "three at once, until nothing waits"),
      Example(
        line: "silo-fetch queue retry --failed",
        text: "what was refused, too, once its cause is mended"),
    ])
}
