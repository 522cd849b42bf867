import Foundation

/// The program: words in, exit status out.
@main
enum SiloFetch {
  static func main() async {
    let signals = Signals()
    let program = Program(
      table: .siloFetch, surroundings: .process(), onHangUp: signals.setHangUp)
    let words = Array(CommandLine.arguments.dropFirst())
    let task = Task { await program.run(words) }
    do {
      try signals.watch(cancelling: task)
    } catch {
      TextSink.standardError.line("silo-fetch: \(error)")
      exit(ExitCode.config.status)
    }
    exit(signals.status(for: await task.value))
  }
}
