import SiloDownloads
import SiloServer

extension ServeOptions {
  /// What the settings and the folder say.
  init(
    folder: String, settings: Settings, log: (@Sendable (RequestRecord) -> Void)?
  ) throws(UsageError) {
    let listen: (String, UInt16) =
      try settings.value(
        "listen", should: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:0", Self.listen)
      ?? ("127.0.0.1", 8080)
    self.init(folder: folder, host: listen.0, port: listen.1, log: log)
    data = try settings.path("data")
    newAccount = try settings.value("add-user", should: "a name without '/'") { text in
      text.isEmpty || text.contains("/") || text.count > 100 ? nil : text
    }
    if try settings.isOn("password-stdin") != (newAccount != nil) {
      throw UsageError("--add-user NAME and --password-stdin belong together")
    }
    newProfile = try settings.value("add-profile", should: "USER/NAME", ProfileName.init)
    readsPIN = try settings.isOn("pin-stdin")
    if readsPIN, newProfile == nil {
      throw UsageError("--pin-stdin belongs to --add-profile USER/NAME")
    }
    limits = try Self.limits(settings)
    bandwidth.bytesPerSecond = try Self.rate("bandwidth", settings)
    bandwidth.bytesPerSecondOfUser = try Self.rate("user-bandwidth", settings)
    let (certificate, key) = (try settings.path("tls-cert"), try settings.path("tls-key"))
    switch (certificate, key) {
    case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
    case (nil, nil): break
    default: throw UsageError("--tls-cert FILE and --tls-key FILE belong together")
    }
  }

  private static func rate(_ name: String, _ settings: Settings) throws(UsageError) -> Int64? {
    try settings.value(name, should: "a rate such as 500K or 20M", HTTPOptions.rate)
  }

  private static func limits(_ settings: Settings) throws(UsageError) -> DownloadLimits {
    var limits = DownloadLimits()
    limits.areEnabled = try !settings.isOn("disable-downloads")
    limits.transcodes = try !settings.isOn("no-transcode")
    // 0 is no limit, as the owner of a server writes it.
    let concurrent = try settings.integer("max-concurrent", in: 0...1_000_000)
    limits.mostConcurrent = concurrent == 0 ? nil : concurrent ?? limits.mostConcurrent
    let quota = try settings.integer("quota", in: 0...1_000_000)
    limits.quota = quota == 0 ? nil : quota
    limits.quotaPeriodSeconds =
      try settings.value("quota-period", should: "a duration, such as 90m, 24h or 7d", seconds)
      ?? limits.quotaPeriodSeconds
    limits.denied = Set((settings.values["deny-downloads"] ?? []).map(\.text))
    limits.deniedTranscoding = Set((settings.values["deny-transcode"] ?? []).map(\.text))
    return limits
  }
}
