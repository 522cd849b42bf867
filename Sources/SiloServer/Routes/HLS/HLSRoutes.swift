import SiloMedia

/// The addresses of one file as HLS, below `/hls/NAME/`.
struct HLSRoutes: Sendable {
  let folder: MediaFolder
  let presentations: Presentations

  /// The rows of the route table.
  var routes: [Route] {
    [
      Route("/hls/*name/master.m3u8") { request, words in
        let (file, segmenter) = try await open(words)
        return answer(
          request, MasterPlaylist(segmenter: segmenter).text, type: Self.playlist, of: file)
      },
      Route("/hls/*name/chapters.json") { request, words in
        let (file, segmenter) = try await open(words)
        guard !segmenter.chapters.isEmpty else {
          return .notFound("This file has no chapters.")
        }
        let text = ChapterList.json(segmenter.chapters, end: segmenter.plan.end)
        return answer(request, text, type: "application/json", of: file)
      },
      Route("/hls/*name/:track/index.m3u8") { request, words in
        let (file, segmenter) = try await open(words)
        guard let track = Self.track(words, in: segmenter) else {
          return .notFound("There is no such track.")
        }
        let text = MediaPlaylist.text(of: track, in: segmenter)
        return answer(request, text, type: Self.playlist, of: file)
      },
      Route("/hls/*name/:track/:piece") { request, words in
        let (file, segmenter) = try await open(words)
        guard let track = Self.track(words, in: segmenter), let name = words["piece"]?.first else {
          return .notFound("There is no such track.")
        }
        return try await piece(name, of: track, in: segmenter, file: file, request)
      },
    ]
  }

  private static let playlist = "application/vnd.apple.mpegurl"

  private func open(_ words: Route.Words) async throws -> (OpenFile, HLSSegmenter) {
    guard let (entry, file) = folder.openMedia(words["name"] ?? []) else {
      throw MediaError(.notFound, "There is no such media file.")
    }
    return (file, try await presentations.presentation(of: file, name: entry.name))
  }

  private static func track(_ words: Route.Words, in segmenter: HLSSegmenter) -> HLSTrack? {
    words["track"]?.first.flatMap { TrackID($0) }.flatMap(segmenter.track)
  }

  private func piece(
    _ name: String, of track: HLSTrack, in segmenter: HLSSegmenter, file: OpenFile,
    _ request: ServerRequest
  ) async throws -> ServerResponse {
    let isText = track.id.kind == .subtitle
    let number = MediaPlaylist.number(of: name, isText: isText)
    guard number != nil || name == "init.mp4" && !isText else {
      return .notFound("There is no such segment.")
    }
    if isText, let number {
      let text = try segmenter.subtitles(number, of: track.id)
      return answer(request, text, type: "text/vtt", of: file)
    }
    let id = track.id
    let bytes = try await presentations.bytes(
      of: Presentations.Piece(identity: file.identity, track: id, number: number)
    ) {
      if let number { return try await segmenter.segment(number, of: id) }
      return try await segmenter.initSection(of: id)
    }
    let type = track.id.kind == .video ? "video/mp4" : "audio/mp4"
    return ContentAnswer.answer(request, with: bytes, type: type, of: file)
  }

  private func answer(
    _ request: ServerRequest, _ text: String, type: String, of file: OpenFile
  ) -> ServerResponse {
    ContentAnswer.answer(request, with: Array(text.utf8), type: type, of: file)
  }
}
