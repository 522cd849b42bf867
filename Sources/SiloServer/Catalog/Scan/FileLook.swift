import Foundation
import SiloMedia
import SiloSystem

/// What one look into a file found.
struct FileLook: Sendable {
  /// The file; number 0 when it is new.
  var media: StoredMedia
  /// Everything that was found, as JSON; `nil` when it could not be read.
  var inventory: [UInt8]?

  /// Looks into the file at `file` of `folder`; what it meets is noted, and ends nothing.
  ///
  /// Blocks. Throws `CancellationError` only.
  init(
    _ file: FoundFile, of folder: MediaFolder, known: StoredMedia?, unless cancel: CancellationFlag
  ) throws {
    media = StoredMedia(
      id: known?.id ?? 0, path: folder.root + "/" + file.path, byteCount: file.byteCount,
      modified: file.modified, inode: file.inode, ownerID: known?.ownerID)
    do {
      guard let open = folder.open(file.path.split(separator: "/").map(String.init)) else {
        media.failure = "it may not be read"
        return
      }
      let bytes = DescriptorSource(open)
      let found = try MediaInventory.probeBlocking(
        MediaSource(name: file.path, bytes: bytes), cancel: cancel)
      guard !found.video.isEmpty else {
        media.failure = "it has no pictures"
        return
      }
      media.summary = MediaSummary(found)
      if open.byteCount >= OpenSubtitlesHash.leastByteCount {
        media.openSubtitlesHash = try OpenSubtitlesHash.of(byteCount: open.byteCount) {
          try bytes.bytes(at: $0, count: $1)
        }
      }
      inventory = [UInt8](try JSONEncoder().encode(found))
    } catch let error as CancellationError {
      throw error
    } catch let error as MediaError {
      media.failure = error.message
    } catch {
      media.failure = "it cannot be read"
    }
  }
}

extension ByteSource {
  /// The bytes from `offset` on, up to `count`; fewer only at the end.
  func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: count - bytes.count)
      var span = piece.mutableSpan
      var buffer = span.mutableBytes
      let read = try read(at: offset + Int64(bytes.count), into: &buffer)
      if read == 0 { break }
      bytes += piece.prefix(read)
    }
    return bytes
  }
}
