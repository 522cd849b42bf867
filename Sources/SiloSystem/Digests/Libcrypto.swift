import CCrypto

/// What libcrypto has to be told about the threads of this program.
enum Libcrypto {
  /// Whether it is set up; asked before its first use.
  ///
  /// Threads of ours may still run when the process exits: its own clean-up at exit would free what they are about to free.
  static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Gives back what it kept for the thread that calls, which is about to end.
  static func endThread() { OPENSSL_thread_stop() }
}
