import SiloContract
import Synchronization

/// `/activate`: where a person types the code of a device, says who he is, looks at the device, and lets it in or not.
///
/// No cookie and no sign-in is made: the first step carries name and password, the second a word that only the answer to the
/// first one had.
final class ActivationRoutes: Sendable {
  private let book: AccountBook
  private let tickets = Mutex(ActivationTickets())

  init(_ book: AccountBook) { self.book = book }

  /// The rows of the route table.
  var routes: [Route] {
    [
      Route(ActivationPage.path) { request, _ in
        let code = request.argument("code") ?? ""
        return ActivationPage.form(code: code.utf8.count > 32 ? "" : code)
      },
      Route("POST", ActivationPage.path) { request, _ in
        do {
          return try await self.answer(request)
        } catch let refusal as Refusal {
          return ActivationPage.refusal(
            refusal.status, refusal.message + (refusal.message.hasSuffix(".") ? "" : "."),
            headers: refusal.headers)
        }
      },
    ]
  }

  private func answer(_ request: ServerRequest) async throws -> ServerResponse {
    guard !Self.comesFromElsewhere(request) else {
      throw Refusal(403, .forbidden, "This form was sent by another page")
    }
    let type = request["Content-Type"]?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
    guard type == "application/x-www-form-urlencoded" else {
      throw Refusal(415, .badRequest, "This is no form")
    }
    guard !request.isBodyTooLong else { throw Refusal(413, .badRequest, "This form is too long") }
    guard let fields = FormFields(request.body) else {
      throw Refusal.badRequest("This form cannot be read")
    }
    return fields["ticket"].isEmpty ? try await ask(fields) : try await decide(fields)
  }

  /// The first step; nobody learns anything of a code before name and password are right.
  private func ask(_ fields: FormFields) async throws -> ServerResponse {
    let (code, username) = (fields["code"], fields["username"])
    guard !code.isEmpty, !username.isEmpty, !fields["password"].isEmpty else {
      return ActivationPage.form(
        code: code, saying: "Code, user name and password are needed.", status: 400)
    }
    let account: StoredAccount
    do {
      account = try await book.account(username, password: fields["password"])
    } catch let refusal as Refusal where refusal.code == .invalidCredentials {
      // 401 would make a browser ask by itself.
      return ActivationPage.form(code: code, saying: refusal.message + ".", status: 403)
    }
    guard let device = try await book.waitingDevice(code, by: account.id) else {
      return ActivationPage.form(
        saying:
          "No device waits with this code. Is it typed as the device shows it, and not too old?",
        status: 404)
    }
    let ticket = ActivationTickets.Ticket(account: account.id, code: device.code)
    let word = tickets.withLock { $0.issue(ticket, at: book.now()) }
    return ActivationPage.question(about: device, for: account.name, ticket: word)
  }

  private func decide(_ fields: FormFields) async throws -> ServerResponse {
    let isApproved = fields["decision"] == "approve"
    guard isApproved || fields["decision"] == "deny" else {
      throw Refusal.badRequest("This form cannot be read")
    }
    guard let ticket = tickets.withLock({ $0.take(fields["ticket"], at: book.now()) }) else {
      throw Refusal(403, .forbidden, "This page was open for too long, or was used already")
    }
    try await book.decideDevice(ticket.code, by: ticket.account, isApproved: isApproved)
    return ActivationPage.end(
      saying: isApproved
        ? "The device is let in. This page can be closed."
        : "The device was refused. This page can be closed.")
  }

  /// Whether a browser says that another site's page sent this.
  static func comesFromElsewhere(_ request: ServerRequest) -> Bool {
    if let site = request["Sec-Fetch-Site"]?.lowercased() {
      return site != "same-origin" && site != "none"
    }
    guard let origin = request["Origin"]?.lowercased() else { return false }
    guard let host = request["Host"]?.lowercased() else { return true }
    return origin != "http://" + host && origin != "https://" + host
  }
}
