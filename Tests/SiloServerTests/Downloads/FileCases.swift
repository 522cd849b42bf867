import Foundation
import SiloContract
import SiloTestSupport
import Testing

@testable import SiloServer

/// Bytes and what lies beside them.
@Suite struct FileCases {
  /// The rows of the table that are asked here.
  static let cases: [ConformanceCase] = [
    ConformanceCase(Array(36...42) + [47], "the file, whole and in parts") {
      try await Self().file()
    },
    ConformanceCase([48, 49], "direct downloads") { try await Self().direct() },
    ConformanceCase([51, 52, 55], "the manifest, and content that a profile may not have") {
      try await Self().manifest()
    },
    ConformanceCase([51], "a profile below the quality of the content") {
      try await Self().narrowProfile()
    },
    ConformanceCase([56], "manifests of a batch of which one is gone, one revoked, one broken") {
      try await Self().batch()
    },
  ]

  static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  private func served(_ name: String = "film.mkv") async throws -> SignedInServer {
    let served = try await SignedInServer()
    try served.shelf.addFilm("film", file: 1, name: name, Self.content)
    try served.shelf.addFilm("uhd", file: 2, name: "uhd.mkv", [1, 2, 3], resolution: "2160p")
    try served.shelf.addSeries("series", [("e1", 1, [1]), ("e2", 1, [2]), ("e3", 1, [3])])
    return served
  }

  private func file() async throws {
    let served = try await served("a:film \"ü\".mkv".replacing("\"", with: "'"))
    let device = try await served.device()
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    let path = "/downloads/\(row.id)/file"
    let whole = try await served.send("GET", path, nil, device)
    #expect(whole.status == 200 && whole.body == Self.content)
    #expect(whole.headers["accept-ranges"] == "bytes")
    #expect(whole.headers["content-length"] == "200000")
    #expect(whole.headers["content-type"] == "video/x-matroska")
    #expect(
      whole.headers["content-disposition"]
        == "attachment; filename*=utf-8''a_film%20%27%C3%BC%27.mkv")
    let date = try #require(whole.headers["last-modified"])
    let head = try await served.send("HEAD", path, nil, device)
    #expect(head.status == 200 && head.body.isEmpty)
    for name in ["content-length", "last-modified", "content-type", "content-disposition", "etag"] {
      #expect(head.headers[name] == whole.headers[name], "\(name)")
    }
    let tag = try #require(whole.headers["etag"])
    let rows: [([String], Int, Range<Int>?, String?)] = [
      (["bytes=10-19"], 206, 10..<20, "bytes 10-19/200000"),
      (["bytes=-5"], 206, 199_995..<200_000, "bytes 199995-199999/200000"),
      (["bytes=100-"], 206, 100..<200_000, "bytes 100-199999/200000"),
      (["bytes=0-0"], 206, 0..<1, "bytes 0-0/200000"),
      (["bytes=200000-"], 416, nil, "bytes */200000"), (["nonsense"], 416, nil, nil),
      (["bytes=1-2", "If-Range: \(date)"], 206, 1..<3, "bytes 1-2/200000"),
      (["bytes=1-2", "If-Range: \(tag)"], 206, 1..<3, "bytes 1-2/200000"),
      (["bytes=1-2", "If-Range: \"stale\""], 200, 0..<200_000, nil),
      (["bytes=1-2", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], 200, 0..<200_000, nil),
    ]
    for (fields, status, bytes, field) in rows {
      let answer = try await served.send(
        "GET", path, nil, device + ["Range: \(fields[0])"] + fields.dropFirst())
      #expect(answer.status == status && answer.headers["content-range"] == field, "\(fields)")
      if let bytes { #expect(answer.body == Array(Self.content[bytes]), "\(fields)") }
      if status == 416 {
        #expect(answer.headers["content-type"]?.hasPrefix("text/plain") == true, "\(fields)")
      }
    }
    let several = try await served.send(
      "GET", path, nil, device + ["Range: bytes=0-2,199998-199999"])
    let boundary = try #require(
      several.headers["content-type"]?.split(separator: "boundary=").last)
    var expected = Array("--\(boundary)\r\nContent-Range: bytes 0-2/200000\r\n".utf8)
    expected += Array("Content-Type: video/x-matroska\r\n\r\n".utf8) + Self.content[0..<3]
    expected += Array("\r\n--\(boundary)\r\nContent-Range: bytes 199998-199999/200000\r\n".utf8)
    expected += Array("Content-Type: video/x-matroska\r\n\r\n".utf8) + Self.content[199_998...]
    expected += Array("\r\n--\(boundary)--\r\n".utf8)
    #expect(several.status == 206 && several.body == expected)
    #expect(several.headers["content-length"] == String(expected.count))
    let parallel = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<4 {
        let field = "Range: bytes=\(number * 50_000)-\(number * 50_000 + 49_999)"
        group.addTask { try await served.send("GET", path, nil, device + [field]).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(parallel == [206, 206, 206, 206])
    let listed = try await served.send("GET", "/downloads", nil, device).value(DownloadList.self)
    #expect(listed.downloads == [row])
    await served.stop()
  }

  private func direct() async throws {
    let served = try await served()
    let wish = "{\"name\":\"Small\",\"max_playback_quality\":\"1080p\"}"
    let small = try await served.send("POST", "/profiles", wish).value(Profile.self)
    let path = "/direct-download"
    let rows: [(String, String, [String], String)] = [
      ("GET", "?file_id=1", [], "200"), ("HEAD", "?file_id=1", [], "200"),
      ("GET", "?file_id=1&format=original", [], "200"), ("GET", "", [], "400 bad_request"),
      ("GET", "?file_id=0", [], "400 bad_request"), ("GET", "?file_id=-1", [], "400 bad_request"),
      ("GET", "?file_id=x", [], "400 bad_request"), ("GET", "?file_id=99", [], "404 not_found"),
      ("GET", "?file_id=1&format=remux", [], "501 format_unavailable"),
      ("GET", "?file_id=2", ["X-Profile-Id: \(small.id)"], "403 forbidden"),
      ("GET", "?file_id=1", ["X-Profile-Id: \(small.id)"], "200"),
    ]
    for (method, query, fields, outcome) in rows {
      let answer = try await served.send(method, path + query, nil, fields)
      #expect(answer.outcome == outcome, "\(method) \(query)")
    }
    let linked = try await served.send("GET", path + "?file_id=1&token=\(served.key)", token: "")
    #expect(linked.body == Self.content)
    #expect(try await served.send("GET", path + "?file_id=1", token: "").status == 401)
    #expect(try await served.send("GET", "/downloads").text == "{\"downloads\":[]}")
    await served.stop()
  }

  private func manifest() async throws {
    let served = try await served()
    let device = try await served.device()
    let row = try await served.register("{\"content_id\":\"film\"}", device)
    let bare = try await served.send("GET", "/downloads/\(row.id)/manifest", nil, device)
    let manifest = try bare.value(OfflineManifest.self)
    #expect(manifest.downloadID == row.id && manifest.revision == 1 && manifest.type == .movie)
    #expect(manifest.subtitles.isEmpty && bare.text.contains("\"subtitles\":[]"))
    #expect(bare.text.contains("\"artwork_urls\":{}") && !bare.text.contains("media_file_hash"))
    #expect(manifest.audioTracks?.map(\.index) == [0, 1])
    #expect(manifest.audioTracks?.map(\.language) == ["en", "tr"])
    #expect(manifest.selectedAudioTrackIndex == 0 && manifest.manifestVersion == 2)
    #expect(manifest.integrity?.expectedByteCount == 200_000)
    #expect(manifest.integrity?.metadataTag?.count == 64)
    for word in ["http", "X-Amz", "null", "episode_id"] { #expect(!bare.text.contains(word)) }

    try served.media.write("poster.jpg", [9, 8])
    try served.media.write("1.0.srt", "1\n")
    served.shelf.change { contents in
      contents.artwork["film/poster"] = "poster.jpg"
      contents.files[MediaFileID(1)]?.hash = "0000000000030d40"
      contents.files[MediaFileID(1)]?.subtitles = [
        ShelfSubtitle(language: "tr", format: "srt", isForced: true, byteCount: 2)
      ]
    }
    let full = try await served.send("GET", "/downloads/\(row.id)/manifest", nil, device).value(
      OfflineManifest.self)
    #expect(full.artworkURLs.poster == "/api/v1/downloads/\(row.id)/artwork/poster")
    #expect(full.artworkURLs.logo == nil && full.integrity?.mediaFileHash == "0000000000030d40")
    let subtitle = try #require(full.subtitles.first)
    #expect(subtitle.fetchURL == "/api/v1/downloads/\(row.id)/subtitles/external:0")
    #expect(subtitle.isForced == true && subtitle.isExternal == true && subtitle.fileSize == 2)
    let poster = try await served.send("GET", "/downloads/\(row.id)/artwork/poster", nil, device)
    #expect(poster.body == [9, 8] && poster.headers["content-type"] == "image/jpeg")
    #expect(poster.headers["cache-control"] == "private, max-age=31536000, immutable")
    let text = try await served.send(
      "GET", "/downloads/\(row.id)/subtitles/external:0", nil, device)
    #expect(text.text == "1\n" && text.status == 200)

    // The profile is narrowed after it registered: everything of the row is gone for it, and the row is listed.
    let large = try await served.register("{\"content_id\":\"uhd\"}", device)
    #expect(try await served.send("GET", "/downloads/\(large.id)/file", nil, device).status == 200)
    served.shelf.change {
      $0.items["uhd"] = nil; $0.files[MediaFileID(2)] = nil
    }
    for end in ["/file", "/manifest", "/artwork/poster", "/subtitles/external:0"] {
      let answer = try await served.send("GET", "/downloads/\(large.id)" + end, nil, device)
      #expect(answer.outcome == "404 not_found", "\(end)")
    }
    await served.stop()
  }

  private func narrowProfile() async throws {
    let served = try await served()
    let wish = "{\"name\":\"Small\",\"max_playback_quality\":\"1080p\"}"
    let small = try await served.send("POST", "/profiles", wish).value(Profile.self)
    let device = try await served.device(profile: small.id)
    for body in ["{\"content_id\":\"uhd\"}", "{\"content_id\":\"uhd\",\"file_id\":2}"] {
      #expect(try await served.send("POST", "/downloads", body, device).outcome == "404 not_found")
    }
    await served.stop()
  }

  private func batch() async throws {
    let served = try await served()
    let device = try await served.device()
    let answer = try await served.send(
      "POST", "/downloads", "{\"content_id\":\"series\",\"series\":true}", device)
    guard case .batch(let batch) = try answer.value(CreateAnswer.self),
      let id = batch.downloads.first?.batchID
    else {
      Issue.record("no batch")
      return
    }
    let path = "/downloads/batches/\(id)/manifests"
    let all = try await served.send("GET", path, nil, device)
    #expect(all.status == 200 && !all.text.contains("skipped"))
    let manifests = try all.value(BatchManifests.self).manifests
    #expect(manifests.map(\.episodeID) == ["e1", "e2", "e3"])
    #expect(manifests[0].seriesTitle == "The series" && manifests[0].seasonNumber == 1)
    #expect(manifests[0].stableIdentity?.stableType == .episode)
    served.shelf.change {
      $0.items["e2"] = nil; $0.broken = ["e3"]
    }
    let some = try await served.send("GET", path, nil, device).value(BatchManifests.self)
    #expect(some.manifests.map(\.episodeID) == ["e1"])
    #expect(some.skipped?.map(\.reason) == [.notFound, .error])
    #expect(some.skipped?.map(\.downloadID) == batch.downloads.dropFirst().map(\.id))
    let other = try await served.device("dev-2")
    #expect(try await served.send("GET", path, nil, other).outcome == "404 not_found")
    await served.stop()
  }
}
