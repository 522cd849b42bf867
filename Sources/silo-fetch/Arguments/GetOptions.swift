import SiloDownloads
import SiloMedia
import SiloSystem

/// The settings of `get`, read into values.
struct GetOptions: Sendable {
  /// The request of every item, without its source.
  var request: DownloadRequest
  /// How requests are made.
  var http: HTTPOptions
  /// Items at once.
  var jobs: Int
  /// Items at once where somebody said so.
  var chosenJobs: Int?
  /// How often a file that a server still prepares is asked for.
  var pollPause: Duration
  /// The file with more sources; `-` is stdin.
  var sourceList: String?
  /// The command after each finished item.
  var completionCommand: String?
  /// Stop after the estimate.
  var isDryRun: Bool
  /// What is printed.
  var display: DisplayOptions

  /// Reads the settings of `get`.
  init(_ settings: Settings) throws(UsageError) {
    request = try Self.request(settings)
    http = try HTTPOptions(settings)
    if let count = try settings.integer("connections", in: 1...64) {
      (http.connectionsPerHost, http.connectionsPerFile) = (count, count)
    }
    chosenJobs = try settings.integer("jobs", in: 1...64)
    jobs = chosenJobs ?? DownloadQueue.usualLimit
    pollPause = .seconds(try settings.integer("poll", in: 1...86_400) ?? 15)
    sourceList = try settings.path("from-file")
    completionCommand = settings.text("on-complete")
    isDryRun = try settings.isOn("dry-run")
    display = try DisplayOptions(settings)
  }

  private static func request(_ settings: Settings) throws(UsageError) -> DownloadRequest {
    var request = DownloadRequest(source: "", wishes: try TrackWishes(settings))
    request.output = try settings.path("output")
    let container = try settings.value("container", should: "auto, mp4 or mkv") { text in
      text.lowercased() == "auto"
        ? .some(nil) : OutputContainer(rawValue: text.lowercased()).map(Optional.some)
    }
    request.container = container ?? nil
    request.keepsOriginalFile = try settings.isOn("keep-original-file")
    request.overwrites = try settings.isOn("overwrite")
    request.maximumSize = try Self.maximumSize(settings)
    request.allowsGaps = try settings.isOn("allow-gaps")
    request.checksum = try settings.value(
      "checksum",
      should: "ALGO=HEX with sha-512, sha-256, sha-1, md5 or oshash and all of its digits"
    ) { ExpectedDigest(text: $0) }
    let quality = try settings.value(
      "quality", should: Self.qualities.joined(separator: ", ")
    ) { Self.qualities.contains($0.lowercased()) ? $0.lowercased() : nil }
    request.quality = quality == Self.qualities[0] ? nil : quality
    let patience = try settings.integer("wait-for-space", in: 0...31_536_000) ?? 30
    request.whenDiskIsFull = patience == 0 ? .fail : .wait(atMost: .seconds(patience))
    return request
  }

  private static let qualities = ["original", "20mbps", "10mbps", "5mbps", "2mbps", "1mbps"]

  /// The budget, which `probe` knows too.
  static func maximumSize(_ settings: Settings) throws(UsageError) -> Int64? {
    try settings.value("max-size", should: "a size such as 4G, 700M or 1000000", ByteCount.parse)
  }
}
