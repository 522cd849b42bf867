import CFFmpeg
import Synchronization

/// libav's log: nothing reaches the terminal; the last warnings of each registered context are kept.
package enum LibavLog {
  /// How many lines are kept for one context.
  static let lineCount = 8

  private static let lines = Mutex<[UInt: [String]]>([:])

  /// Set once, before the first libav call of the process that could log.
  private static let installed: Void = {
    av_log_set_callback { object, level, format, arguments in
      guard level <= AV_LOG_WARNING, let object, let format, let arguments,
        let root = silo_log_root(object)
      else { return }
      LibavLog.keep(UInt(bitPattern: root), level: level, object: object, format, arguments)
    }
  }()

  /// Silences libav's own output to standard error.
  package static func install() { _ = installed }

  /// Starts to keep lines of the context at this address.
  static func register(_ context: UnsafeRawPointer) {
    install()
    lines.withLock { $0[UInt(bitPattern: context)] = [] }
  }

  /// Forgets the context at this address and returns what was kept.
  @discardableResult
  static func unregister(_ context: UnsafeRawPointer) -> [String] {
    lines.withLock { $0.removeValue(forKey: UInt(bitPattern: context)) } ?? []
  }

  /// The lines that were kept for the context at this address.
  static func lines(of context: UnsafeRawPointer) -> [String] {
    lines.withLock { $0[UInt(bitPattern: context)] } ?? []
  }

  private static func keep(
    _ root: UInt, level: Int32, object: UnsafeMutableRawPointer, _ format: UnsafePointer<CChar>,
    _ arguments: CVaListPointer
  ) {
    guard lines.withLock({ $0[root] != nil }) else { return }
    let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
      var prefix: Int32 = 0
      text.initialize(repeating: 0)
      av_log_format_line2(object, level, format, arguments, text.baseAddress, 512, &prefix)
      return text.baseAddress.map { String(cString: $0) } ?? ""
    }
    let clean = String(
      String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    guard !clean.isEmpty else { return }
    lines.withLock { all in
      guard var kept = all[root] else { return }
      if kept.count == lineCount { kept.removeFirst() }
      kept.append(clean)
      all[root] = kept
    }
  }
}
