import Foundation
import Synchronization

extension ScriptedRows {
  /// Who asks.
  private struct Caller {
    var account: String
    var profile: String?
    var device: String?
    var owner: [String] { [account, profile ?? "", device ?? ""] }
  }

  func answer(_ request: FaultRequest) -> FaultAnswer {
    let path = request.path.split(separator: "/").map(String.init)
    guard path.starts(with: ["api", "v1"]) else { return .status(404) }
    let words = Array(path.dropFirst(2))
    if words == ["auth", "login"] || words == ["auth", "refresh"] {
      return tokens(request, words)
    }
    guard let caller = caller(request) else { return Self.refusal(401, "unauthorized") }
    switch (request.method, words.first, words.count) {
    case ("GET", "auth", _):
      return .json(#"{"id":7,"username":"\#(caller.account)","role":"user"}"#)
    case ("GET", "profiles", _): return .json(Self.profiles(caller.account))
    case ("GET", "catalog", _): return catalog(words, request)
    case ("GET", "direct-download", _):
      let file = request.parameter("file_id").flatMap { Int($0) } ?? 0
      guard let version = state.withLock({ $0.versions[file] }) else { return Self.notFound }
      return .bytes(version.bytes)
    case (_, "downloads", _): return downloads(request, Array(words.dropFirst()), caller)
    default: return request.method == "POST" ? .json("", status: 204) : Self.notFound
    }
  }

  private func caller(_ request: FaultRequest) -> Caller? {
    let bearer = String(request.header("Authorization")?.dropFirst(7) ?? "")
    let tokens = state.withLock { $0.tokens }
    let account =
      ["sa_ada": "ada", "sa_bob": "bob"][bearer] ?? tokens.first { $0.value == bearer }?.key
    return account.map {
      Caller(
        account: $0, profile: request.header("X-Profile-Id"),
        device: request.header("X-Silo-Device-Id"))
    }
  }

  private func tokens(_ request: FaultRequest, _ words: [String]) -> FaultAnswer {
    state.withLock { state in
      let account = ["ada", "bob"].first {
        words[1] == "login"
          ? request.text.contains("\"\($0)\"") : request.text.contains("\"refresh-\($0)-")
      }
      guard let account else { return Self.refusal(401, "invalid_credentials") }
      if words[1] == "refresh" { state.renewals += 1 }
      state.tokens[account] = "access-\(account)-\(state.renewals)"
      return .json(
        #"{"access_token":"access-\#(account)-\#(state.renewals)","refresh_token":"refresh-\#(account)-\#(state.renewals)","expires_in":60}"#
      )
    }
  }

  private static func profiles(_ account: String) -> String {
    let list = (1...2).map {
      #"{"id":"p-\#(account)-\#($0)","name":"\#(account)\#($0)","is_primary":\#($0 == 1),"has_pin":false,"allowed_library_ids":[]}"#
    }
    return #"{"profiles":[\#(list.joined(separator: ","))]}"#
  }

  // MARK: - Catalog

  private func catalog(_ words: [String], _ request: FaultRequest) -> FaultAnswer {
    state.withLock { state in
      switch words.count {
      case 3 where words[1] == "items":
        let series = state.series.first { $0.value.contains(words[2]) }
        if state.series[words[2]] != nil {
          return .json(
            #"{"content_id":"\#(words[2])","type":"series","title":"Dizi","versions":[],"subtitles":[]}"#
          )
        }
        guard let files = state.items[words[2]] else { return Self.notFound }
        let more = series.map { #","series_id":"\#($0.key)","series_title":"Dizi""# } ?? ""
        return .json(
          #"{"content_id":"\#(words[2])","type":"\#(series == nil ? "movie" : "episode")","title":"T \#(words[2])","versions":[\#(versions(files, state))],"subtitles":[]\#(more)}"#
        )
      case 4 where words[3] == "seasons":
        guard let episodes = state.series[words[2]] else { return Self.notFound }
        return .json(
          #"{"seasons":[{"content_id":"\#(words[2])-S01","season_number":1,"episode_count":\#(episodes.count),"title":"1"}]}"#
        )
      case 6 where words[5] == "episodes":
        let list = (state.series[words[2]] ?? []).enumerated().map { index, id in
          let files = (state.items[id] ?? []).map {
            #"{"file_id":\#($0),"file_size":\#(state.versions[$0]?.bytes.count ?? 0)}"#
          }
          let part = files.isEmpty ? "" : #","files":[\#(files.joined(separator: ","))]"#
          return
            #"{"content_id":"\#(id)","season_number":1,"episode_number":\#(index + 1),"title":"T"\#(part)}"#
        }
        return .json(#"{"episodes":[\#(list.joined(separator: ","))]}"#)
      default: return .json(#"{"items":[],"has_more":false}"#)
      }
    }
  }

  private func versions(_ files: [Int], _ state: State) -> String {
    files.compactMap { file -> String? in
      guard let version = state.versions[file] else { return nil }
      let tracks = version.languages.map { #"{"language":"\#($0)","codec":"aac","channels":2}"# }
      return
        #"{"file_id":\#(file),"resolution":"\#(1080 - file)p","container":"mkv","file_size":\#(version.bytes.count),"audio_tracks":[\#(tracks.joined(separator: ","))]}"#
    }.joined(separator: ",")
  }

  // MARK: - Downloads

  private func downloads(
    _ request: FaultRequest, _ words: [String], _ caller: Caller
  ) -> FaultAnswer {
    if words == ["capability"] {
      return .json(
        #"{"enabled":true,"download_allowed":true,"quality_presets":["original"],"season_download":true}"#
      )
    }
    guard caller.device != nil else { return Self.refusal(400, "device_id_required") }
    guard caller.profile != nil else { return Self.refusal(400, "profile_required") }
    if words.isEmpty, request.method == "POST" { return register(request, caller) }
    if words.isEmpty { return list(caller) }
    if words.count == 3, words[0] == "batches" { return batch(words[1], caller) }
    guard let row = state.withLock({ $0.rows[words[0]] }), row.owner == caller.owner else {
      return Self.notFound
    }
    if words.count == 1, request.method != "GET", state.withLock({ $0.isDeaf }) {
      return .status(503)
    }
    switch (request.method, words.dropFirst().first) {
    case ("DELETE", nil):
      state.withLock { $0.rows[row.id] = nil }
      return .json("", status: 204)
    case ("PATCH", nil):
      guard ["ready", "downloading", "completed"].contains(row.status) else { return Self.notFound }
      change(row.id) {
        $0.status = request.text.contains("completed") ? "completed" : "downloading"
      }
      return .json("", status: 204)
    case ("GET", "manifest"):
      guard row.status != "revoked" else { return Self.refusal(409, "download_inactive") }
      return .json(state.withLock { manifest(row, $0) })
    case (_, "file"): return file(row, request)
    default: return Self.notFound
    }
  }

  private func list(_ caller: Caller) -> FaultAnswer {
    state.withLock { state in
      state.onList?(&state)
      let rows = state.rows.values.filter { $0.owner == caller.owner }.map { text($0, state) }
      return .json(#"{"downloads":[\#(rows.joined(separator: ","))]}"#)
    }
  }

  private func register(_ request: FaultRequest, _ caller: Caller) -> FaultAnswer {
    let body =
      (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
    let content = body["content_id"] as? String ?? ""
    return state.withLock { state in
      state.onRegister?(&state)
      if body["series"] as? Bool == true {
        if state.refusesBatches { return Self.refusal(429, "download_limit_exceeded") }
        state.lastID += 1
        let batch = "\(state.lastID)"
        var (rows, skipped): ([String], [String]) = ([], [])
        for episode in state.series[content] ?? [] {
          guard let file = state.items[episode]?.first else {
            skipped.append(#"{"episode_id":"\#(episode)","reason":"no_file"}"#)
            continue
          }
          var row = Self.row(content, episode, file, "original", caller, &state)
          row.batch = batch
          state.rows[row.id] = row
          rows.append(text(row, state))
        }
        let left = skipped.isEmpty ? "" : #","skipped":[\#(skipped.joined(separator: ","))]"#
        return .json(#"{"downloads":[\#(rows.joined(separator: ","))]\#(left)}"#, status: 202)
      }
      let episode = body["episode_id"] as? String
      let quality = body["quality"] as? String ?? "original"
      if state.refusesQualities, quality != "original" {
        return Self.refusal(501, "quality_unavailable")
      }
      guard let file = body["file_id"] as? Int ?? state.items[episode ?? content]?.first,
        state.versions[file] != nil
      else { return Self.notFound }
      return .json(
        text(Self.row(content, episode, file, quality, caller, &state), state), status: 202)
    }
  }

  private static func row(
    _ content: String, _ episode: String?, _ file: Int, _ quality: String, _ caller: Caller,
    _ state: inout State
  ) -> Row {
    let known = state.rows.values.first {
      $0.owner == caller.owner && $0.content == content && $0.episode == episode
    }
    guard var row = known else {
      state.lastID += 1
      var row = Row(
        id: "\(state.lastID)", owner: caller.owner, content: content, episode: episode, file: file)
      (row.status, row.quality) = (state.firstStatus, quality)
      row.byteCount = Self.byteCount(file, state)
      state.rows[row.id] = row
      return row
    }
    let byteCount = Self.byteCount(file, state)
    let isSame = row.file == file && row.byteCount == byteCount && row.quality == quality
    if !isSame || ["failed", "revoked"].contains(row.status) {
      row.revision += 1
      (row.file, row.byteCount, row.quality) = (file, byteCount, quality)
      row.status = state.firstStatus
      state.rows[row.id] = row
    }
    return row
  }

  private static func byteCount(_ file: Int, _ state: State) -> Int {
    state.versions[file].map { $0.toldByteCount ?? $0.bytes.count } ?? 0
  }

  private func text(_ row: Row, _ state: State) -> String {
    var parts = [
      #""id":"\#(row.id)","content_id":"\#(row.content)","media_file_id":\#(row.file)"#,
      #""file_size":\#(row.byteCount),"bytes_sent":0,"kind":"queued","status":"\#(row.status)""#,
      #""quality":"\#(row.quality)","effective_quality":"\#(row.quality)""#,
      #""delivery_format":"\#(row.quality == "original" ? "original" : "transcode")""#,
      #""target_bitrate_kbps":0,"revision":\#(row.revision),"device_id":"\#(row.owner[2])""#,
      #""created_at":"2026-06-19T16:04:05Z""#,
    ]
    if let episode = row.episode { parts.append(#""episode_id":"\#(episode)""#) }
    if let batch = row.batch { parts.append(#""batch_id":"\#(batch)""#) }
    return "{\(parts.joined(separator: ","))}"
  }

  private func manifest(_ row: Row, _ state: State) -> String {
    let version = state.versions[row.file]
    let count = version?.toldByteCount ?? version?.bytes.count ?? 0
    let hash = version?.hash.map { #","media_file_hash":"\#($0)""# } ?? ""
    let isFilm = row.episode == nil
    let number = row.episode?.split(separator: "-").last ?? "0"
    let place =
      isFilm
      ? #""type":"movie","title":"T \#(row.content)","year":2024"#
      : #""type":"episode","episode_id":"\#(row.episode ?? "")","title":"T","series_id":"\#(row.content)","series_title":"Dizi","season_number":1,"episode_number":\#(number)"#
    return
      #"{"download_id":"\#(row.id)","content_id":"\#(row.content)",\#(place),"revision":\#(row.revision),"quality":"\#(row.quality)","effective_quality":"\#(row.quality)","delivery_format":"\#(row.quality == "original" ? "original" : "transcode")","media_file_id":\#(row.file),"file_size":\#(count),"artwork_urls":{},"container":"mkv","subtitles":[],"integrity":{"expected_bytes":\#(count)\#(hash)},"manifest_version":2}"#
  }

  private func batch(_ id: String, _ caller: Caller) -> FaultAnswer {
    state.withLock { state in
      let rows = state.rows.values.filter { $0.batch == id && $0.owner == caller.owner }
      guard !rows.isEmpty else { return Self.notFound }
      let list = rows.filter { $0.status != "revoked" }.map { manifest($0, state) }
      let left = rows.filter { $0.status == "revoked" }.map {
        #"{"download_id":"\#($0.id)","reason":"revoked"}"#
      }
      let skipped = left.isEmpty ? "" : #","skipped":[\#(left.joined(separator: ","))]"#
      return .json(#"{"manifests":[\#(list.joined(separator: ","))]\#(skipped)}"#)
    }
  }

  private func file(_ row: Row, _ request: FaultRequest) -> FaultAnswer {
    let (bytes, script, n) = state.withLock { state in
      state.fileRequests[row.id, default: 0] += 1
      return (state.versions[row.file]?.bytes, state.fileAnswer, state.fileRequests[row.id] ?? 0)
    }
    if let scripted = script?(row, request, n) { return scripted }
    guard ["ready", "downloading", "completed"].contains(row.status) else {
      return Self.refusal(409, "download_inactive")
    }
    guard let bytes else { return Self.notFound }
    return .bytes(bytes).header("Content-Disposition", "attachment; filename=\(row.file).mkv")
  }

  static var notFound: FaultAnswer { refusal(404, "not_found") }

  /// A refusal as servers write it.
  package static func refusal(_ status: Int, _ code: String) -> FaultAnswer {
    .json(#"{"error":"\#(code)","message":"no"}"#, status: status)
  }
}
