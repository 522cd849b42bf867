import SiloServer
import Testing

@testable import silo_fetch

/// Every option of `serve` that CLI.md lists, and what becomes of it.
@Suite struct ServeOptionsTests {
  private static func options(_ line: String) throws -> ServeOptions {
    let words = ["serve", "f"] + line.split(separator: " ").map(String.init)
    guard case .run(let invocation) = try ArgumentReader(table: .siloFetch).read(words) else {
      throw UsageError("not a run")
    }
    let settings = Settings(
      command: .serve, given: invocation.options, environment: [:],
      file: try ConfigFile(path: "/c", text: "", table: .siloFetch))
    return try ServeOptions(folder: "f", settings: settings, log: nil)
  }

  @Test func `nothing said leaves the defaults`() throws {
    let options = try Self.options("")
    #expect(options.host == "127.0.0.1" && options.port == 8080 && options.data == nil)
    #expect(options.limits == DownloadLimits() && options.bandwidth == BandwidthLimits())
    #expect(options.limits.mostConcurrent == 3 && options.limits.quotaPeriodSeconds == 86_400)
    #expect(options.tls == nil && options.newAccount == nil && options.newProfile == nil)
  }

  @Test func `each option says what it means`() throws {
    let options = try Self.options(
      """
      --listen [::1]:0 --data d --add-user ayse --password-stdin --add-profile ayse/kids --pin-stdin \
      --disable-downloads --deny-downloads a --deny-downloads b --deny-transcode c --no-transcode \
      --max-concurrent 5 --quota 7 --quota-period 90m --bandwidth 20M --user-bandwidth 500KB/s \
      --tls-cert c.pem --tls-key k.pem
      """)
    #expect(options.host == "::1" && options.port == 0 && options.data == "d")
    #expect(options.newAccount == "ayse" && options.readsPIN)
    #expect(options.newProfile == ServeOptions.ProfileName("ayse/kids"))
    #expect(!options.limits.areEnabled && !options.limits.transcodes)
    #expect(options.limits.denied == ["a", "b"] && options.limits.deniedTranscoding == ["c"])
    #expect(options.limits.mostConcurrent == 5 && options.limits.quota == 7)
    #expect(options.limits.quotaPeriodSeconds == 5400)
    #expect(options.bandwidth.bytesPerSecond == 20 << 20)
    #expect(options.bandwidth.bytesPerSecondOfUser == 500_000)
    #expect(options.tls == ServeOptions.TLSFiles(certificate: "c.pem", key: "k.pem"))
  }

  @Test func `a period is a number and a unit`() {
    let rows: [(String, Int64?)] = [
      ("90", 90), ("90s", 90), ("30m", 1800), ("24h", 86_400), ("7d", 604_800), ("0h", nil),
      ("-1h", nil), ("h", nil), ("", nil), ("1w", nil), ("9999999999d", nil),
    ]
    for (text, seconds) in rows { #expect(ServeOptions.seconds(text) == seconds, "\(text)") }
  }

  @Test func `what does not fit together is refused`() {
    let rows: [(String, String)] = [
      ("--tls-cert c", "--tls-cert FILE and --tls-key FILE belong together"),
      ("--tls-key k", "--tls-cert FILE and --tls-key FILE belong together"),
      ("--bandwidth none", "--bandwidth: 'none' should be a rate such as 500K or 20M"),
      ("--user-bandwidth 0", "--user-bandwidth: '0' should be a rate such as 500K or 20M"),
      (
        "--quota-period soon", "--quota-period: 'soon' should be a duration, such as 90m, 24h or 7d"
      ),
      ("--add-user a", "--add-user NAME and --password-stdin belong together"),
      ("--pin-stdin", "--pin-stdin belongs to --add-profile USER/NAME"),
    ]
    for (line, message) in rows {
      let error = #expect(throws: UsageError.self) { try Self.options(line) }
      #expect(error?.description == message, "\(line)")
    }
  }
}
