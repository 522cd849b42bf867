import Foundation
import SiloSystem

/// What the process is born with and cannot run without: looked at before anything else begins.
enum Beginnings {
  /// The files that a run has open besides those of its transfers: what is less ends in a trap of a library.
  static let descriptors = 20

  /// Gives the standard streams that were closed a file of their own, lest the first file that is opened becomes one.
  ///
  /// Output that is written to a closed stream still fails: what is put there cannot be written.
  static func fillStandardStreams() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// What is wrong with the process; `nil` when nothing is.
  static func fault() -> UsageError? {
    if let limit = shortage() {
      return UsageError(
        "only \(limit) files may be open here (ulimit -n), too few to run; allow 64 or more",
        exitCode: .config)
    }
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    for (place, word) in words.enumerated().dropFirst() {
      guard let word, String(validatingCString: word) == nil else { continue }
      return foreign("argument \(place), '\(String(cString: word))',")
    }
    return foreignVariable() ?? foreignFolder()
  }

  /// The limit of open files when it, or what was inherited, leaves too few.
  private static func shortage() -> UInt64? {
    var opened: [Int32] = []
    defer { for number in opened { close(number) } }
    while opened.count < descriptors {
      let number = dup(STDERR_FILENO)
      if number < 0 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return UInt64(limit.rlim_cur)
      }
      opened.append(number)
    }
    return nil
  }

  private static func foreignVariable() -> UsageError? {
    let ours = ["SILO_FETCH_", "HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME="]
    var next = environ
    while let variable = next.pointee {
      next += 1
      guard String(validatingCString: variable) == nil else { continue }
      let text = String(cString: variable)
      guard ours.contains(where: text.hasPrefix) else { continue }
      return foreign("the environment variable \(text.prefix { $0 != "=" })")
    }
    return nil
  }

  private static func foreignFolder() -> UsageError? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path) == nil
      ? foreign("the current folder, '\(String(cString: path))',") : nil
  }

  /// Text of another encoding would be read with other characters in its place, and so name another file.
  private static func foreign(_ what: String) -> UsageError {
    UsageError("\(what) is not in UTF-8, which names have to be in here; rename it, or link to it")
  }
}
