/// The page on which a person lets a device in: plain HTML, without a script, a style or anything from elsewhere.
enum ActivationPage {
  /// The address of the page.
  static let path = "/activate"

  /// The first step: the code, and who lets the device in.
  static func form(code: String = "", saying notice: String? = nil, status: Int = 200)
    -> ServerResponse
  {
    page(
      """
      \(notice.map { "<p role=\"alert\"><strong>\(HTMLText.escaped($0))</strong></p>" } ?? "")
      <p>A device that shows a code wants to sign in as you. Only let in what you hold in your own hands.</p>
      <form method="post" action="\(path)">
      <p><label>Code of the device<br>
      <input name="code" value="\(HTMLText.escaped(code))" autocomplete="off" autocapitalize="characters" spellcheck="false" required></label></p>
      <p><label>User name<br><input name="username" autocomplete="username" autocapitalize="none" required></label></p>
      <p><label>Password<br><input name="password" type="password" autocomplete="current-password" required></label></p>
      <p><button>Go on</button></p>
      </form>
      """, status: status)
  }

  /// The second step: which device it is, and yes or no.
  static func question(about device: WaitingDevice, for user: String, ticket: String)
    -> ServerResponse
  {
    let name = [device.name, device.platform].compactMap { $0 }.joined(separator: ", ")
    return page(
      """
      <p>The device <strong>\(HTMLText.escaped(name.isEmpty ? "without a name" : name))</strong> wants to sign in as <strong>\(HTMLText.escaped(user))</strong>.</p>
      <p>It shows the code <strong>\(HTMLText.escaped(device.code))</strong>, and <strong>\(HTMLText.escaped(device.match))</strong> to compare. Does it?</p>
      <form method="post" action="\(path)">
      <input type="hidden" name="ticket" value="\(HTMLText.escaped(ticket))">
      <p><button name="decision" value="approve">Let it in</button>
      <button name="decision" value="deny">Refuse it</button></p>
      </form>
      """)
  }

  /// The end.
  static func end(saying text: String) -> ServerResponse {
    page("<p role=\"status\">\(HTMLText.escaped(text))</p>")
  }

  /// A refusal, with a way back to the form.
  static func refusal(_ status: Int, _ message: String, headers: [HeaderField] = [])
    -> ServerResponse
  {
    var response = page(
      """
      <p role="alert"><strong>\(HTMLText.escaped(message))</strong></p>
      <p><a href="\(path)">Begin again</a></p>
      """, status: status)
    response.headers += headers
    return response
  }

  private static func page(_ body: String, status: Int = 200) -> ServerResponse {
    .text(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Let a device in</title>
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
      <body><main>
      <h1>Let a device in</h1>
      \(body)
      </main></body>
      </html>

      """, type: "text/html; charset=utf-8", status: status, headers: headers)
  }

  /// Nothing is run, fetched, framed or kept, and the form goes nowhere else.
  private static let headers = [
    HeaderField(
      "Content-Security-Policy",
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"),
    HeaderField("X-Frame-Options", "DENY"), HeaderField("X-Content-Type-Options", "nosniff"),
    // With "no-referrer" a browser would hide, too, where the form comes from.
    HeaderField("Referrer-Policy", "same-origin"), HeaderField("Cache-Control", "no-store"),
    HeaderField("Cross-Origin-Opener-Policy", "same-origin"),
  ]
}
