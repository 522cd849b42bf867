import Testing

@testable import SiloDownloads

@Suite struct ProxyAddressTests {
  static let rows: [(text: String, name: String?)] = [
    ("proxy", "http://proxy"), ("proxy:3128", "http://proxy:3128"),
    ("HTTP://u:p@ss@proxy:80/", "http://proxy:80"),
    ("socks5h://[::1]:1080", "socks5h://[::1]:1080"),
    ("socks4://h", "socks4://h"), ("socks4a://h", "socks4a://h"), ("socks5://h", "socks5://h"),
    ("https://h", "https://h"), ("socks9://x", nil), ("ftp://h", nil), ("://h", nil), ("", nil),
    ("http://", nil), ("http://u@", nil), ("h:0", nil), ("h:65536", nil), ("h:x", nil),
    ("[::1", nil), ("h:80 ", nil), ("h\r\nEvil:1", nil), ("a:b:c", nil),
  ]

  @Test(arguments: rows) func `a proxy is named without its password, or refused`(
    text: String, name: String?
  ) {
    #expect(ProxyAddress(text)?.description == name)
  }
}
