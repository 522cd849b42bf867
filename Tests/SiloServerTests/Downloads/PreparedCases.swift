import Foundation
import SiloContract
import SiloStore
import SiloTestSupport
import Testing

@testable import SiloServer

/// What a server with a prepare pipeline decides: asked of the rules, because this one has none.
@Suite struct PreparedCases {
  /// The rows of the table that are asked here.
  static let cases: [ConformanceCase] = [
    ConformanceCase([2, 4], "presets by gates and pipeline") { Self().presets() },
    ConformanceCase([11, 12, 13, 14], "the target by quality and capabilities") {
      try Self().targets()
    },
    ConformanceCase([21], "another target is another revision of the same row") {
      try await Self().retarget()
    },
    ConformanceCase([53], "the manifest of a prepared file") { try await Self().manifest() },
  ]

  private static let full = DeliveryRules(hasPipeline: true)

  private func presets() {
    let ladder = ["original", "20mbps", "10mbps", "5mbps", "2mbps", "1mbps"]
    let rows: [(DeliveryRules, [String])] = [
      (Self.full, ladder), (DeliveryRules(hasPipeline: false), ["original"]),
      (DeliveryRules(hasPipeline: true, areEnabled: false), []),
      (DeliveryRules(hasPipeline: true, isAllowed: false), []),
      (DeliveryRules(hasPipeline: true, transcodes: false), ["original"]),
      (DeliveryRules(hasPipeline: true, isTranscodingAllowed: false), ["original"]),
    ]
    for (rules, presets) in rows { #expect(rules.presets.map(\.rawValue) == presets, "\(rules)") }
  }

  private func targets() throws {
    var source = MediaVersion(fileID: MediaFileID(1), fileSize: 9)
    (source.container, source.videoCodec, source.audioCodec) = ("mkv", "hevc", "eac3")
    func device(
      _ containers: [String], video: [String] = ["hevc"], audio: [String] = ["aac"],
      handedOn: [String] = ["eac3"]
    ) -> DecodeCapabilities {
      var capabilities = DecodeCapabilities()
      (capabilities.containers, capabilities.videoCodecs) = (containers, video)
      (capabilities.audioCodecs, capabilities.passthroughCodecs) = (audio, handedOn)
      return capabilities
    }
    /// Quality, capabilities, and what comes: effective quality, form, bitrate; or the refusal.
    let rows: [(DeliveryRules, String, DecodeCapabilities?, String)] = [
      (Self.full, "5mbps", nil, "5mbps transcode 5000 preparing"),
      (Self.full, "1mbps", device(["mkv"]), "1mbps transcode 1000 preparing"),
      (Self.full, "original", device(["mp4"]), "original remux 0 preparing"),
      (Self.full, "original", device(["mkv"], handedOn: []), "original remux 0 preparing"),
      (Self.full, "original", device(["mkv"], video: ["h264"]), "20mbps transcode 20000 preparing"),
      (Self.full, "original", nil, "original original 0 ready"),
      (Self.full, "original", device(["MKV"]), "original original 0 ready"),
      (Self.full, "original", DecodeCapabilities(), "original original 0 ready"),
      (Self.full, "4mbps", nil, "400 invalid_quality"),
      (DeliveryRules(hasPipeline: true, transcodes: false), "5mbps", nil, "403 transcode_disabled"),
      (
        DeliveryRules(hasPipeline: true, transcodes: false), "original",
        device(["mkv"], video: ["h264"]), "403 transcode_disabled"
      ),
      (
        DeliveryRules(hasPipeline: true, isTranscodingAllowed: false), "5mbps", nil, "403 forbidden"
      ),
      (DeliveryRules(), "5mbps", nil, "501 quality_unavailable"),
      (DeliveryRules(), "original", device(["mkv"], video: ["av1"]), "501 quality_unavailable"),
      (DeliveryRules(), "original", device(["mp4"]), "501 format_unavailable"),
    ]
    for (rules, quality, capabilities, outcome) in rows {
      let found: String
      do throws(Refusal) {
        let target = try rules.target(of: Quality(rawValue: quality), source, capabilities)
        #expect(target.quality.rawValue == quality)
        found =
          "\(target.effective.rawValue) \(target.format.rawValue) \(target.kilobitsPerSecond)"
          + " \(target.status.rawValue)"
      } catch {
        found = "\(error.status) \(error.code.rawValue)"
      }
      #expect(found == outcome, "\(quality) \(String(describing: capabilities))")
    }
  }

  private func retarget() async throws {
    let served = try await SignedInServer()
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", [1, 2, 3])
    let device = try await served.device()
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    _ = try await served.send(
      "PATCH", "/downloads/\(row.id)", "{\"status\":\"completed\"}", device)
    await served.stop()

    let registry = DownloadRegistry(
      store: try ServerStore(served.data.path("server.sqlite")), limits: DownloadLimits(),
      now: { served.clock.now })
    let me = try await registry.store.read {
      try $0.rows("SELECT account_id, profile_id FROM download")
    }
    guard case .integer(let account)? = me.first?[0], case .text(let profile)? = me.first?[1],
      let file = try await served.shelf.file(MediaFileID(1))
    else {
      Issue.record("no row")
      return
    }
    let scope = DownloadScope.device(account: account, profile: profile, device: "dev-1")
    let target = DeliveryTarget(
      quality: Quality(rawValue: "5mbps"), effective: Quality(rawValue: "5mbps"),
      format: .transcode, kilobitsPerSecond: 5000)
    for _ in 0..<2 {
      let wish = DownloadRegistry.Wish(file: file, target: target)
      let again = try #require(
        try await registry.register([wish], scope, isBatch: false).first)
      #expect(again.id == row.id && again.revision == 2 && again.status == .preparing)
      #expect(again.completedAt == nil && again.quality?.rawValue == "5mbps")
      #expect(again.deliveryFormat == .transcode && again.targetKilobitsPerSecond == 5000)
    }
  }

  private func manifest() async throws {
    let served = try await SignedInServer()
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", [1, 2, 3])
    let device = try await served.device()
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    for (format, video) in [("transcode", "h264"), ("remux", "hevc")] {
      let connection = try Connection.open(served.data.path("server.sqlite"), journal: .asStored)
      try connection.run("UPDATE download SET format = ?", [.text(format)])
      let answer = try await served.send("GET", "/downloads/\(row.id)/manifest", nil, device)
      let manifest = try answer.value(OfflineManifest.self)
      #expect(manifest.container == "mp4" && manifest.videoCodec == video, "\(format)")
      #expect(manifest.audioCodec == "aac" && manifest.selectedAudioTrackIndex == 0, "\(format)")
      #expect(manifest.audioTracks?.map(\.index) == [0], "\(format)")
      #expect(manifest.audioTracks?.map(\.isDefault) == [true], "\(format)")
    }
    await served.stop()
  }
}
