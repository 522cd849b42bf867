import Foundation
import SiloDownloads
import SiloTestSupport
import Synchronization

@testable import SiloDownloads

/// A Silo server as far as sign-in goes, on the fault server: one account, one key, tokens that rotate.
final class ScriptedSilo: Sendable {
  struct State {
    var access = "access-1"
    var refresh = "refresh-1"
    var refreshes = 0
    var refusesRefresh = false
    var polls = 0
  }

  let server: FaultServer
  let folder: TemporaryFolder
  let state = Mutex(State())
  let file: CredentialFile
  var url: String { server.url("") }

  init() throws {
    server = try FaultServer()
    folder = try TemporaryFolder()
    file = CredentialFile(path: folder.path("config/credentials.json"))
    on("auth/login") { silo, request in
      request.text.contains(#""password":"correct horse""#)
        ? .json(silo.tokens()) : .json(#"{"error":"invalid_credentials"}"#, status: 401)
    }
    on("auth/refresh") { silo, request in silo.refresh(request) }
    on("auth/logout") { _, _ in .json("", status: 204) }
    on("auth/me") { silo, request in
      silo.asks(request, #"{"id":7,"username":"ada","role":"user"}"#)
    }
    on("profiles") { silo, request in
      silo.asks(
        request,
        #"{"profiles":[{"id":"p-1","name":"Ada","is_primary":true,"has_pin":false,"allowed_library_ids":[]},{"id":"p-2","name":"Çocuk","has_pin":true,"allowed_library_ids":[]}]}"#
      )
    }
    on("profiles/p-2/verify-pin") { silo, request in
      let isRight = request.text.contains(#""pin":"1234""#)
      return silo.asks(
        request, isRight ? #"{"valid":true,"profile_token":"pt-9"}"# : #"{"valid":false}"#)
    }
    on("downloads/capability") { silo, request in
      silo.asks(
        request, #"{"enabled":true,"download_allowed":true,"quality_presets":["original"]}"#)
    }
    on("auth/device/start") { _, _ in
      .json(
        #"{"device_code":"dc","user_code":"ABCD-1234","verification_uri":"http://h/link","expires_in":600,"interval":5}"#,
        status: 201)
    }
    on("auth/device/poll") { silo, _ in
      let count = silo.state.withLock {
        $0.polls += 1
        return $0.polls
      }
      guard count > 2 else { return .json(#"{"status":"pending","poll_after":7}"#) }
      return .json(silo.tokens(#""status":"approved","#))
    }
  }

  private func on(
    _ path: String, _ answer: @escaping @Sendable (ScriptedSilo, FaultRequest) -> FaultAnswer
  ) {
    server.on("/api/v1/" + path) { [weak self] request, _ in
      self.map { answer($0, request) } ?? .status(500)
    }
  }

  func tokens(_ more: String = "") -> String {
    state.withLock {
      #"{\#(more)"access_token":"\#($0.access)","refresh_token":"\#($0.refresh)","expires_in":60}"#
    }
  }

  /// The answer to a request that is signed in; 401 otherwise.
  func asks(_ request: FaultRequest, _ text: String) -> FaultAnswer {
    let bearer = request.header("Authorization")
    let isKnown = state.withLock { bearer == "Bearer \($0.access)" } || bearer == "Bearer sa_key"
    return isKnown ? .json(text) : .json(#"{"error":"unauthorized"}"#, status: 401)
  }

  private func refresh(_ request: FaultRequest) -> FaultAnswer {
    let isTaken = state.withLock { state in
      guard !state.refusesRefresh, request.text.contains("\"\(state.refresh)\"") else {
        return false
      }
      state.refreshes += 1
      state.access = "access-\(state.refreshes + 1)"
      state.refresh = "refresh-\(state.refreshes + 1)"
      return true
    }
    return isTaken ? .json(tokens()) : .json(#"{"error":"unauthorized"}"#, status: 401)
  }

  /// The access token ends; the one that is given for it holds.
  func expire() { state.withLock { $0.access = "nobody-has-this" } }

  func signIn(
    _ proof: SignIn.Proof = .password(username: "ada", password: "correct horse"),
    profile: String? = nil, pin: String? = nil, waiting: Waiting = .system,
    show: @Sendable (SignIn.Code) -> Void = { _ in }
  ) async throws -> SignIn.Outcome {
    var options = HTTPOptions()
    options.attempts = 1
    return try await SignIn(try SiloAddress(url), file: file, options: options, waiting: waiting)
      .run(proof, profile: profile, pin: pin, deviceName: "test", show: show)
  }

  func session() async throws -> SiloSession { try await SiloSession.open(file, HTTPOptions()) }

  /// The text of the credentials file; empty when there is none.
  var stored: String { (try? String(contentsOfFile: file.path, encoding: .utf8)) ?? "" }
}
