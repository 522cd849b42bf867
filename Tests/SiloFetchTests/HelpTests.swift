import Foundation
import SiloTestSupport
import Testing

@testable import silo_fetch

/// The committed texts are rewritten by a run with SILO_FETCH_WRITE_SNAPSHOTS=1.
@Suite struct HelpTests {
  static let texts: [(name: String, text: String)] = {
    let table = CommandTable.siloFetch
    let help = HelpText(table: table)
    var texts = [
      ("help.txt", help.program(isLong: false)), ("help-long.txt", help.program(isLong: true)),
      ("manual.1", ManualPage(table: table).text),
      ("completion.bash", CompletionScript.bash(table)),
      ("completion.zsh", CompletionScript.zsh(table)),
      ("completion.fish", CompletionScript.fish(table)),
    ]
    for command in table.visibleCommands {
      texts.append(("\(command.name)-help.txt", help.command(command, isLong: true)))
      texts.append(("\(command.name)-h.txt", help.command(command, isLong: false)))
    }
    return texts
  }()

  @Test(arguments: texts.map(\.name)) func `a text that people read is the committed one`(
    name: String
  ) throws {
    let text = try #require(Self.texts.first { $0.name == name }?.text)
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Snapshots/\(name)")
    if ProcessInfo.processInfo.environment["SILO_FETCH_WRITE_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }

  @Test func `no line of help is wider than 100 columns`() {
    for (name, text) in Self.texts where name.hasSuffix(".txt") {
      for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(name): \(line)") }
    }
  }

  @Test func `every visible option is in help, manual and every completion`() {
    for option in CommandTable.siloFetch.commands.filter({ !$0.isHidden }).flatMap(\.options) {
      for name in ["manual.1", "completion.bash", "completion.zsh", "completion.fish"] {
        let text = Self.texts.first { $0.name == name }?.text ?? ""
        let spelling =
          switch name {
          case "manual.1": "--\(option.name)".map { $0 == "-" ? "\\-" : String($0) }.joined()
          case "completion.fish": "-l \(option.name)"
          default: "--\(option.name)"
          }
        #expect(text.contains(spelling), "\(option.name) in \(name)")
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `a completion script parses in its shell`(
    shell: String
  ) async throws {
    let script = try CompletionScript.text(shell, .siloFetch)
    let folder = try TemporaryFolder()
    let path = try folder.write("script", script)
    let found = try await run("sh", "-c", "command -v \(shell)")
    guard found.status == 0 else { return }
    let result = try await run(shell, "-n", path)
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test func `bash completes commands, options and values`() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("script", try CompletionScript.text("bash", .siloFetch))
    let rows: [(words: String, completions: [String])] = [
      ("pro", ["probe"]), ("--requ", ["--require-audio"]), ("probe --jo", []),
      ("serve --li", ["--listen"]), ("--container m", ["mp4", "mkv"]),
      ("probe u --color n", ["never"]), ("completion z", ["zsh"]),
    ]
    for (words, completions) in rows {
      let count = words.split(separator: " ").count
      let line =
        "source \(script); COMP_WORDS=(silo-fetch \(words)); COMP_CWORD=\(count); _silo_fetch; "
        + "printf '%s\\n' \"${COMPREPLY[@]}\""
      #expect(
        try await run("bash", ["-c", line], in: folder.path).lines == completions, "\(words)")
    }
  }
}
