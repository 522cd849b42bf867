import Foundation

/// The program: words in, exit status out.
@main
enum SiloFetch {
  // Not async: an async main leaves the main thread to libdispatch, which suspends it there with every signal
  // unblocked, so that no mask of ours would hold.
  static func main() {
    Beginnings.fillStandardStreams()
    let signals = Signals()
    let program = Program(
      table: .siloFetch, surroundings: .process(), onHangUp: signals.setHangUp)
    let words = Array(CommandLine.arguments.dropFirst())
    if let fault = Beginnings.fault() { exit(program.refuse(fault, words).status) }
    let task = Task<Never, Never> { @concurrent in
      let code = await program.run(words)
      if code == .readerGone { Signals.endByBrokenPipe() }
      exit(signals.status(for: code))
    }
    signals.wait(cancelling: task)
  }
}
