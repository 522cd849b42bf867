import Foundation

/// The program: words in, exit status out.
@main
enum SiloFetch {
  // Not async: an async main leaves the main thread to libdispatch, which suspends it there with every signal
  // unblocked, so that no mask of ours would hold.
  static func main() {
    let signals = Signals()
    let program = Program(
      table: .siloFetch, surroundings: .process(), onHangUp: signals.setHangUp)
    let words = Array(CommandLine.arguments.dropFirst())
    let task = Task { @concurrent in
      exit(signals.status(for: await program.run(words)))
    }
    signals.wait(cancelling: task)
  }
}
