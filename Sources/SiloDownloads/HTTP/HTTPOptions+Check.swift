extension HTTPOptions {
  /// Refuses what would not arrive as one header field each: a user agent or a header with a control character.
  ///
  /// - Throws: `DownloadError.usage`, without the value, which may be a secret.
  func check() throws(DownloadError) {
    guard Self.isOneLine(userAgent) else {
      throw DownloadError(
        .usage, "the user agent has a control character; write it in one line of text")
    }
    for header in userHeaders where !Self.isOneLine(header.value) || !Self.isOneLine(header.name) {
      throw DownloadError(
        .usage, "the value of a header has a control character; write it in one line of text",
        subject: Self.isOneLine(header.name) ? header.name : nil)
    }
  }

  private static func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.value < 32 && $0 != "\t" || $0.value == 127 }
  }
}
