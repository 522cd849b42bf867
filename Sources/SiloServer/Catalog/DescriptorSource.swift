import Glibc
import SiloMedia

/// The bytes of a file that is open: the very version that was asked for, even when its name is given to another.
final class DescriptorSource: ByteSource {
  private let file: OpenFile

  init(_ file: OpenFile) { self.file = file }

  var byteCount: Int64? { file.byteCount }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    let count = buffer.withUnsafeMutableBytes { bytes in
      var count = 0
      repeat {
        count = pread(file.descriptor, bytes.baseAddress, bytes.count, off_t(offset))
      } while count < 0 && errno == EINTR
      return count
    }
    guard count >= 0 else {
      throw MediaError(
        .inputOutput, "The file cannot be read: \(String(cString: strerror(errno))).")
    }
    return count
  }
}
