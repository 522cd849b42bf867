extension Command {
  static let library = Command(
    name: "library", abstract: "list what is stored, show, verify, remove or export it",
    usage: [
      "library [--json]", "library show ID...", "library verify [ID...]",
      "library remove ID... [--force]", "library export DIR [ID...]",
    ],
    discussion: [
      """
      Everything here works without network. `show` reads the tracks from the stored file itself. `verify` reads each file \
      to its end and compares it with what was stored; without ids all of them. `remove` stops a download that runs, \
      removes the file and all that lies beside it for its sake, and the folders that were made for it and are empty. \
      `export` gives each file a second name in DIR, or copies it where the disk is another one.
      """
    ],
    arguments: [
      CommandArgument(
        name: "ACTION", help: "show, verify, remove or export, and the ids", count: 0...Int.max,
        completion: .words(["show", "verify", "remove", "export"]))
    ],
    options: [
      CommandOption(
        name: "force", kind: .flag, help: "remove a file that was changed since, too",
        section: .output)
    ] + CommandOption.probeDisplay,
    examples: [
      Example(line: "silo-fetch library verify", text: "is every byte still what it was?")
    ])

  static let storage = Command(
    name: "storage", abstract: "show the bytes that downloads take, and what is left over",
    usage: ["storage [--json]"],
    options: CommandOption.probeDisplay)
}
