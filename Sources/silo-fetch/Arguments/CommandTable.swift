/// Everything the program can be told, as one value: parsing, help, completion and the man page read it.
struct CommandTable: Sendable {
  /// The program's name.
  var program: String
  /// The program in one line.
  var abstract: String
  /// The commands in the order of the help; hidden ones too.
  var commands: [Command]
  /// The command that runs when none is named.
  var defaultCommand: String

  /// The command called `name`.
  func command(named name: String) -> Command? { commands.first { $0.name == name } }

  /// Commands that help and completion show.
  var visibleCommands: [Command] { commands.filter { !$0.isHidden } }

  /// Every option of every command, each name once.
  var allOptions: [CommandOption] {
    var seen = Set<String>()
    return commands.flatMap(\.options).filter { seen.insert($0.name).inserted }
  }

  /// The option called `--name`, in whatever command.
  func option(named name: String) -> CommandOption? { allOptions.first { $0.name == name } }
}

/// One subcommand.
struct Command: Sendable {
  /// What is typed.
  var name: String
  /// What it does, in one line.
  var abstract: String
  /// The command line's shape without the program's name, one line each.
  var usage: [String]
  /// Paragraphs of the long help.
  var discussion: [String] = []
  /// Its positional arguments.
  var arguments: [CommandArgument] = []
  /// Its options in the order of the help.
  var options: [CommandOption] = []
  /// Command lines to copy, each with what it does.
  var examples: [Example] = []
  /// Whether help and completion leave it out.
  var isHidden = false

  /// One command line to copy.
  struct Example: Sendable {
    /// The command line.
    var line: String
    /// What it does.
    var text: String
  }

  /// The option called `--name`.
  func option(named name: String) -> CommandOption? { options.first { $0.name == name } }
  /// The option called `-letter`.
  func option(letter: Character) -> CommandOption? { options.first { $0.letter == letter } }
}

/// One positional argument.
struct CommandArgument: Sendable {
  /// As written in usage: `SOURCE`.
  var name: String
  /// What it is, in one line.
  var help: String
  /// Fewest and most that are taken.
  var count: ClosedRange<Int>
  /// What it may be.
  var completion: Completion = .file
}

/// One option (takes a value) or flag (takes none).
struct CommandOption: Sendable {
  /// What follows the name.
  enum Kind: Sendable, Equatable {
    /// Nothing: it is on when it is there.
    case flag
    /// A value, called as in the help.
    case value(String)
  }

  /// The long name without dashes; also the config key and, in capitals, the environment variable.
  var name: String
  /// The short name without its dash.
  var letter: Character?
  /// What follows.
  var kind: Kind
  /// What it does, in one line.
  var help: String
  /// More about it, for the long help.
  var discussion: String?
  /// The heading under which help lists it.
  var section: Section
  /// Whether giving it again adds a value instead of replacing the one before.
  var repeats = false
  /// What its value may be.
  var completion: Completion = .text

  /// A heading of the help.
  enum Section: String, Sendable, CaseIterable {
    /// Who asks.
    case signIn = "Sign-in"
    /// Which tracks.
    case tracks = "Tracks"
    /// Where to and in which form.
    case output = "Output"
    /// How bytes are fetched.
    case transfer = "Transfer"
    /// How a request is made.
    case requests = "Requests"
    /// How the server is reached.
    case server = "Server"
    /// Who may come in.
    case accounts = "Accounts"
    /// What they may do.
    case limits = "Limits"
    /// What is printed.
    case display = "Display"
  }

  /// The environment variable: `SILO_FETCH_MAX_SIZE`.
  var environmentName: String {
    "SILO_FETCH_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

/// What a value may be, for completion and for messages.
enum Completion: Sendable, Equatable {
  /// Anything.
  case text
  /// One of these words.
  case words([String])
  /// A path of a file.
  case file
  /// A path of a folder.
  case folder
}
