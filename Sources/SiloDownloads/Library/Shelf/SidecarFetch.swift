import SiloContract
import SiloMedia
import SiloSystem

/// Brings what a plan wants from the server that is signed in to, and from nowhere else.
struct SidecarFetch: Sendable {
  /// The bytes of an entry, and where they belong.
  struct Found: Sendable {
    var bytes: [UInt8]
    var path: String
    var kind: Sidecar.Kind
    var owner: Sidecar.Owner
  }

  /// The most bytes of a picture, or of a subtitle file.
  static let longest = 64 << 20

  private let sheet: ItemSheet
  private let session: SiloSession
  /// Nobody waits minutes for a picture.
  private let pictures: HTTPClient

  init(_ sheet: ItemSheet, _ session: SiloSession) {
    (self.sheet, self.session) = (sheet, session)
    var options = session.options
    options.attempts = min(2, options.attempts)
    options.longestRetryAfter = .seconds(5)
    pictures = HTTPClient(options)
  }

  /// The bytes of `entry`, which are what they should be.
  ///
  /// - Throws: `DownloadError`; `CancellationError`.
  func find(_ entry: SidecarPlan.Entry) async throws -> Found {
    switch entry.content {
    case .manifest: return found(sheet.bytes, entry)
    case .note(let note): return found(Array(note.text.utf8), entry)
    case .artwork(let kind):
      let bytes = try await fetch("artwork/\(kind.rawValue)", by: pictures)
      guard let form = ImageForm(bytes) else {
        throw DownloadError(
          .integrity, "What the server sent is neither JPEG nor PNG nor WebP.", subject: entry.name)
      }
      var found = found(bytes, entry)
      if let wide = entry.pathIfWide, form.isWide == true, case .file(let own) = media {
        (found.path, found.kind, found.owner) = (wide, .thumb, .file(own))
      }
      found.path += ".\(form.suffix)"
      return found
    case .subtitles(let reference, let form):
      let bytes = try await fetch("subtitles/\(reference)", by: session.calls.client)
      guard form.accepts(bytes) else {
        throw DownloadError(
          .integrity, "What the server sent is no \(form.rawValue) file.", subject: entry.name)
      }
      return found(bytes, entry)
    }
  }

  /// The media file that everything lies beside.
  var media: Sidecar.Owner?

  private func found(_ bytes: [UInt8], _ entry: SidecarPlan.Entry) -> Found {
    Found(bytes: bytes, path: entry.path, kind: entry.kind, owner: entry.owner)
  }

  private func fetch(_ asset: String, by client: HTTPClient) async throws -> [UInt8] {
    var request = HTTPRequest(
      session.address.url("downloads/\(sheet.manifest.downloadID)/\(asset)"), purpose: .document)
    request.staysWithOrigin = true
    // Other episodes may wait for what their series has.
    request.isLook = true
    do {
      return try await client.fetch(request, limit: Self.longest).body
    } catch let error as DownloadError {
      guard let status = error.status, let words = error.cause as? ServerWords else { throw error }
      throw SiloRefusal.error(status: status, said: words.bytes, subject: error.subject)
    }
  }
}
