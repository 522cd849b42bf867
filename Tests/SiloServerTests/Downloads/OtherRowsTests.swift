import SiloContract
import Testing

@testable import SiloServer

/// Two accounts with two profiles and two devices each, at every address that has a row in it.
@Suite struct OtherRowsTests {
  /// Who asks: an account's token, and the fields of a profile and a device.
  private struct Viewer {
    var name: String
    var token: String
    var fields: [String]
  }

  private static let addresses: [(method: String, end: String, body: String?)] = [
    ("GET", "/file", nil), ("HEAD", "/file", nil), ("GET", "/manifest", nil),
    ("GET", "/artwork/poster", nil), ("GET", "/artwork/backdrop", nil),
    ("GET", "/artwork/logo", nil),
    ("GET", "/subtitles/external:0", nil), ("GET", "/subtitles/downloaded:1", nil),
    ("PATCH", "", "{\"status\":\"downloading\"}"), ("PATCH", "", "{\"status\":\"completed\"}"),
    ("DELETE", "", nil),
  ]

  @Test(.timeLimit(.minutes(5)))
  func `Nobody but the device of the profile of the account that made it sees or touches a row`()
    async throws
  {
    let served = try await SignedInServer.withSecondAccount("other", "password")
    try served.shelf.addSeries("series", [("e1", 1, [1, 2, 3])])
    let viewers = try await viewers(served)
    #expect(viewers.count == 8)
    // Each makes a row of the same episode, in a batch of its own.
    var rows: [DownloadRow] = []
    for viewer in viewers {
      let answer = try await served.send(
        "POST", "/downloads", "{\"content_id\":\"series\",\"series\":true}", token: viewer.token,
        viewer.fields)
      guard case .batch(let batch) = try answer.value(CreateAnswer.self) else {
        Issue.record("no batch")
        return
      }
      rows += batch.downloads
    }
    #expect(Set(rows.map(\.id)).count == 8 && Set(rows.map(\.batchID)).count == 8)
    for (index, viewer) in viewers.enumerated() {
      let list = try await served.send(
        "GET", "/downloads", nil, token: viewer.token, viewer.fields
      ).value(DownloadList.self)
      #expect(list.downloads == [rows[index]], "\(viewer.name)")
      // One neighbour in each direction and one that shares nothing stand for all: 8 x 3 x 12 requests.
      for other in [index ^ 1, index ^ 2, index ^ 4] {
        let path = "/downloads/\(rows[other].id)"
        for (method, end, body) in Self.addresses {
          let answer = try await served.send(
            method, path + end, body, token: viewer.token, viewer.fields)
          let what = "\(viewer.name) at the row of \(viewers[other].name): \(method) \(end)"
          #expect(answer.status == 404, "\(what)")
          if method != "HEAD" { #expect(answer.error == "not_found", "\(what)") }
        }
        let batch = "/downloads/batches/\(rows[other].batchID?.text ?? "")/manifests"
        let answer = try await served.send("GET", batch, nil, token: viewer.token, viewer.fields)
        #expect(answer.outcome == "404 not_found", "\(viewer.name): a batch")
      }
    }
    // Nothing of all this changed anything, and each gets what is its own.
    for (viewer, row) in zip(viewers, rows) {
      let file = try await served.send(
        "GET", "/downloads/\(row.id)/file", nil, token: viewer.token, viewer.fields)
      #expect(file.body == [1, 2, 3], "\(viewer.name)")
      let list = try await served.send(
        "GET", "/downloads", nil, token: viewer.token, viewer.fields
      ).value(DownloadList.self)
      #expect(list.downloads == [row], "\(viewer.name)")
    }
    // The profile of another account is none, whatever row is asked for.
    let stranger = try await served.send(
      "GET", "/downloads/\(rows[0].id)/file", nil, token: viewers[7].token, viewers[0].fields)
    #expect(stranger.outcome == "404 not_found")
    await served.stop()
  }

  private func viewers(_ served: SignedInServer) async throws -> [Viewer] {
    let accounts = [("first", served.key), ("other", try await served.signIn("other", "password"))]
    var viewers: [Viewer] = []
    for (name, token) in accounts {
      _ = try await served.send("POST", "/profiles", "{\"name\":\"Kids\"}", token: token)
      let profiles = try await served.send("GET", "/profiles", token: token).value(
        ProfileList.self
      ).profiles
      for profile in profiles {
        for device in ["dev-1", "dev-2"] {
          viewers.append(
            Viewer(
              name: "\(name)/\(profile.name)/\(device)", token: token,
              fields: try await served.device(device, profile: profile.id)))
        }
      }
    }
    return viewers
  }
}
