import Foundation
import SiloMedia
import SiloSystem

/// A small text file that the user names: read whole, within bounds, and never waited for where it is no pipe.
enum TextFile {
  /// What is read, and so how much of it and from where.
  enum Kind: Sendable {
    /// The configuration: a regular file.
    case configuration
    /// A list of sources: a regular file, a pipe, or stdin.
    case list

    /// The most bytes.
    var limit: Int {
      switch self {
      case .configuration: 1 << 20
      case .list: 16 << 20
      }
    }
  }

  /// Why a file is not used.
  struct Fault: Error, CustomStringConvertible {
    /// The reason, to stand after the file's name.
    let description: String
  }

  /// The text of the file at `path`, of stdin when a list is called `-`.
  static func read(_ path: String, _ kind: Kind) throws(Fault) -> String {
    let isInput = kind == .list && path == "-"
    let descriptor = isInput ? STDIN_FILENO : try open(path, isRegular: kind == .configuration)
    defer { if !isInput { close(descriptor) } }
    let bytes = try bytes(of: descriptor, limit: kind.limit)
    if let end = bytes.firstIndex(of: 0) {
      throw Fault(description: "it is no text: byte \(end + 1) is a zero")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(description: "it is not in UTF-8")
    }
    return text
  }

  /// Why `path` cannot be a file that is read again and again; `nil` when it can.
  static func fault(of path: String) -> Fault? {
    do throws(Fault) {
      close(try open(path, isRegular: true))
      return nil
    } catch { return error }
  }

  private static func open(_ path: String, isRegular: Bool) throws(Fault) -> Int32 {
    // A pipe that nobody writes to would keep the call for ever.
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (isRegular ? O_NONBLOCK : 0)
    let descriptor = Foundation.open(path, flags)
    guard descriptor >= 0 else { throw Fault(description: reason()) }
    var facts = stat()
    let type = fstat(descriptor, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    // The null device is how people say that a file is empty.
    let isNull = type == S_IFCHR && facts.st_rdev == 0x103
    let isFit = isRegular ? type == S_IFREG || isNull : type != S_IFDIR
    guard isFit else {
      close(descriptor)
      throw Fault(description: type == S_IFDIR ? "it is a folder" : "it is no regular file")
    }
    return descriptor
  }

  private static func bytes(of descriptor: Int32, limit: Int) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Fault(description: reason())
      }
      bytes += piece.prefix(count)
      if bytes.count > limit {
        let most = ByteCount.text(Int64(limit))
        throw Fault(description: "it is larger than the \(most) that such a file may have")
      }
    }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
