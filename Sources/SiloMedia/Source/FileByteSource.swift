import Glibc

public import struct Foundation.URL

/// The bytes of a local file.
public final class FileByteSource: ByteSource {
  private let descriptor: Int32
  private let path: String
  /// The length of the file when it was opened.
  public let byteCount: Int64?

  /// Opens the file for reading; throws `MediaError.inputOutput` when that fails or it is no regular file.
  public init(_ url: URL) throws {
    path = url.path
    // A pipe that nobody writes to would keep the call for ever.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure("opened", path) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw MediaError(
        .inputOutput,
        "This is no regular file. Media is read at many places: write it into a file first.",
        subject: path)
    }
    byteCount = Int64(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Reads with `pread`, so that there is no cursor to share.
  public func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    let count = buffer.withUnsafeMutableBytes { bytes in
      var count = 0
      repeat {
        count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
      } while count < 0 && errno == EINTR
      return count
    }
    guard count >= 0 else { throw Self.failure("read", path) }
    return count
  }

  private static func failure(_ verb: String, _ path: String) -> MediaError {
    let reason = String(cString: strerror(errno))
    return MediaError(.inputOutput, "The file cannot be \(verb): \(reason).", subject: path)
  }
}

extension MediaSource {
  /// A local file; throws when it cannot be opened.
  public static func file(_ url: URL) throws -> MediaSource {
    MediaSource(name: url.path, bytes: try FileByteSource(url))
  }
}
