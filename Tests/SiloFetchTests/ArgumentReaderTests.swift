import Testing

@testable import silo_fetch

@Suite struct ArgumentReaderTests {
  typealias Given = ArgumentReader.Given
  let reader = ArgumentReader(table: .siloFetch)

  struct Row: Sendable {
    var line: String
    var command: String
    var options: [String]
    var arguments: [String]
  }

  static let rows: [Row] = [
    Row(line: "u", command: "get", options: [], arguments: ["u"]),
    Row(line: "get u v", command: "get", options: [], arguments: ["u", "v"]),
    Row(line: "--audio tr,en u", command: "get", options: ["audio=tr,en"], arguments: ["u"]),
    Row(line: "u --audio tr,en", command: "get", options: ["audio=tr,en"], arguments: ["u"]),
    Row(line: "u --audio=tr,en", command: "get", options: ["audio=tr,en"], arguments: ["u"]),
    Row(line: "-a tr u", command: "get", options: ["audio=tr"], arguments: ["u"]),
    Row(line: "-atr u", command: "get", options: ["audio=tr"], arguments: ["u"]),
    Row(line: "-a=tr u", command: "get", options: ["audio=tr"], arguments: ["u"]),
    Row(
      line: "-nqv u", command: "get", options: ["dry-run=true", "quiet=true", "verbose=true"],
      arguments: ["u"]),
    Row(
      line: "-nofile u", command: "get", options: ["dry-run=true", "output=file"],
      arguments: ["u"]),
    Row(
      line: "-vj 4 u", command: "get", options: ["verbose=true", "jobs=4"], arguments: ["u"]),
    Row(line: "--json probe u", command: "probe", options: ["json=true"], arguments: ["u"]),
    Row(line: "probe u --json", command: "probe", options: ["json=true"], arguments: ["u"]),
    Row(line: "get probe", command: "get", options: [], arguments: ["probe"]),
    Row(line: "-- probe", command: "get", options: [], arguments: ["probe"]),
    Row(line: "get -- --audio -n", command: "get", options: [], arguments: ["--audio", "-n"]),
    Row(line: "--from-file -", command: "get", options: ["from-file=-"], arguments: []),
    Row(line: "- -o -", command: "get", options: ["output=-"], arguments: ["-"]),
    Row(
      line: "--max-channels -5 u", command: "get", options: ["max-channels=-5"],
      arguments: ["u"]),
    Row(line: "--output=-n u", command: "get", options: ["output=-n"], arguments: ["u"]),
    Row(line: "--output -file u", command: "get", options: ["output=-file"], arguments: ["u"]),
    Row(line: "--audio= u", command: "get", options: ["audio="], arguments: ["u"]),
    Row(
      line: "--header A:1 --header=B:2=3 u", command: "get",
      options: ["header=A:1", "header=B:2=3"],
      arguments: ["u"]),
    Row(
      line: "--overwrite=false u", command: "get", options: ["overwrite=false"], arguments: ["u"]),
    Row(
      line: "serve f --listen [::1]:0 -v", command: "serve",
      options: ["listen=[::1]:0", "verbose=true"], arguments: ["f"]),
  ]

  @Test(arguments: rows) func `words become a command, its options and its arguments`(row: Row)
    throws
  {
    let reading = try reader.read(row.line.split(separator: " ").map(String.init))
    guard case .run(let invocation) = reading else {
      Issue.record("\(row.line) is read as \(reading)")
      return
    }
    #expect(invocation.command == row.command)
    #expect(invocation.options.map { "\($0.name)=\($0.value)" } == row.options)
    #expect(invocation.arguments == row.arguments)
  }

  static let mistakes: [(line: String, message: String)] = [
    ("--audoi tr u", "there is no option '--audoi'; did you mean '--audio'?"),
    ("--max-sise 4 u", "there is no option '--max-sise'; did you mean '--max-size'?"),
    ("--req u", "there is no option '--req'; did you mean '--require-audio'?"),
    ("--zzzzzzzz u", "there is no option '--zzzzzzzz'"),
    ("-x u", "there is no option '-x'"),
    ("queue remove --all", "there is no option '--all'"),
    ("storage x", "storage takes no argument; 'x' is one too many"),
    ("u -o", "-o needs a value: PATH"),
    ("u --audio", "--audio needs a value: LIST"),
    (
      "--audio --json u",
      "--audio needs a value: LIST; if '--json' is the value, write --audio=--json"
    ),
    ("-o -n u", "-o needs a value: PATH; if '-n' is the value, write --output=-n"),
    ("--json=maybe u", "--json is on or off: 'maybe' should be true or false"),
    ("probe", "probe needs SOURCE: a URL, silo:ID, or a local file, folder or .m3u8"),
    ("probe a b", "probe takes one SOURCE; 'b' is one too many"),
    ("serve a --audio tr", "--audio is no option of serve, but of get, probe, season, add"),
    ("probe a -j 4", "--jobs is no option of probe, but of get, season, queue"),
    ("get a --man", "--man is no option of get, but of help"),
    ("--man", "--man is no option of get, but of help"),
    ("help prob", "there is no command 'prob'; did you mean 'probe'?"),
  ]

  @Test(arguments: mistakes) func `a mistake is named with what would be right`(
    line: String, message: String
  ) {
    let error = #expect(throws: UsageError.self) {
      try reader.read(line.split(separator: " ").map(String.init))
    }
    #expect(error?.description == message)
    #expect(error?.exitCode == .usage)
  }

  @Test func `help and version are found anywhere but after a double dash`() throws {
    let rows: [(String, ArgumentReader.Reading)] = [
      ("--help", .help(command: nil, isLong: true)), ("-h", .help(command: nil, isLong: false)),
      ("probe --help", .help(command: "probe", isLong: true)),
      ("--help serve", .help(command: "serve", isLong: true)),
      ("get u -h", .help(command: "get", isLong: false)),
      ("help probe", .help(command: "probe", isLong: true)), ("--version", .version),
      ("-V", .version), ("get -nV", .version),
    ]
    for (line, reading) in rows {
      #expect(try reader.read(line.split(separator: " ").map(String.init)) == reading, "\(line)")
    }
    guard case .run = try reader.read(["--", "--help"]) else {
      Issue.record("-- --help is help")
      return
    }
  }

  @Test func `no two options of a command share a name, and one name means one kind`() {
    for command in CommandTable.siloFetch.commands {
      let names = command.options.flatMap { CompletionScript.names($0) }
      #expect(Set(names).count == names.count, "\(command.name)")
    }
    var kinds: [String: CommandOption.Kind] = [:]
    for option in CommandTable.siloFetch.commands.flatMap(\.options) {
      #expect(kinds[option.name] ?? option.kind == option.kind, "\(option.name)")
      kinds[option.name] = option.kind
    }
  }
}

@Suite struct NearestNameTests {
  @Test func `a name is near when few letters differ or when it begins one name alone`() {
    let names = ["get", "probe", "serve", "completion"]
    let rows: [(String, String?)] = [
      ("prob", "probe"), ("porbe", "probe"), ("server", "serve"), ("comp", "completion"),
      ("gett", "get"), ("PROBE", "probe"), ("login", nil), ("x", nil), ("", nil),
    ]
    for (typed, meant) in rows {
      #expect(NearestName.of(typed, among: names) == meant, "\(typed)")
    }
  }
}
