import CLinux
import Glibc

/// The machine code of the running program, as the system maps it from the program's file.
package enum ProgramText {
  /// Gives back all of it that is in memory; what is run next is mapped again, from the page cache.
  ///
  /// All that a program touched since its start counts as its memory, with the 64 KiB around each page, until somebody else needs
  /// the room. Costs about a millisecond; a debugger's breakpoints in the program are lost. From `getauxval(AT_PHDR)`, by
  /// `madvise(MADV_DONTNEED)`, on whole pages of segments that cannot be written to.
  ///
  /// - Returns: The bytes of code that the program has; 0 where the system does not tell where they are.
  @discardableResult
  package static func letGo() -> Int {
    guard
      let first = UnsafePointer<Elf64_Phdr>(bitPattern: getauxval(UInt(AT_PHDR)))
    else { return 0 }
    let segments = UnsafeBufferPointer(start: first, count: Int(getauxval(UInt(AT_PHNUM))))
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
}
