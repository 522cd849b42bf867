import Foundation
import Glibc

/// The machine code of the running program, as the system maps it from the program's file.
enum ProgramText {
  /// Gives back all of it that is in memory; what is run next is mapped again, from the page cache.
  ///
  /// All that a program touched since its start counts as its memory, with the 64 KiB around each page, until somebody else needs
  /// the room. Costs about a millisecond; a debugger's breakpoints in the program are lost. Found by `AT_PHDR` in /proc/self/auxv, by
  /// `madvise(MADV_DONTNEED)`, on whole pages of segments that cannot be written to.
  ///
  /// - Returns: The bytes of code that the program has; 0 where the system does not tell where they are.
  @discardableResult
  static func letGo() -> Int {
    let told = auxiliaryVector
    guard let address = told[UInt(AT_PHDR)], let count = told[UInt(AT_PHNUM)],
      let first = UnsafePointer<Elf64_Phdr>(bitPattern: address)
    else { return 0 }
    let segments = UnsafeBufferPointer(start: first, count: Int(count))
    guard let own = segments.first(where: { $0.p_type == UInt32(PT_PHDR) }) else { return 0 }
    let base = UInt(bitPattern: first) &- UInt(own.p_vaddr)
    let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
    var byteCount = 0
    for segment in segments where segment.p_type == UInt32(PT_LOAD) {
      guard segment.p_flags & UInt32(PF_X) != 0, segment.p_flags & UInt32(PF_W) == 0 else {
        continue
      }
      let from = (base &+ UInt(segment.p_vaddr) &+ page &- 1) & ~(page &- 1)
      let to = (base &+ UInt(segment.p_vaddr) &+ UInt(segment.p_memsz)) & ~(page &- 1)
      guard from < to, let start = UnsafeMutableRawPointer(bitPattern: from) else { continue }
      guard madvise(start, Int(to - from), MADV_DONTNEED) == 0 else { continue }
      byteCount += Int(to - from)
    }
    return byteCount
  }

  /// What the kernel told the program at its start, by kind; empty without `/proc`.
  private static var auxiliaryVector: [UInt: UInt] {
    let bytes = FileManager.default.contents(atPath: "/proc/self/auxv") ?? Data()
    let words = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / MemoryLayout<UInt>.size).map {
        bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<UInt>.size, as: UInt.self)
      }
    }
    let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}
