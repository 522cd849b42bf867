/// Lists the media files of the folder, each with its address and its HLS address.
enum ListingRoute {
  /// A page for people, or JSON for programs that ask for it with Accept.
  static func answer(_ request: ServerRequest, files: [MediaEntry]) -> ServerResponse {
    let cache = [HeaderField("Cache-Control", "no-cache"), HeaderField("Vary", "Accept")]
    if request["Accept"]?.contains("application/json") == true {
      let items = files.map { file in
        "{\"name\":\(JSONText.quoted(file.name)),\"url\":\(JSONText.quoted(path(file)))"
          + ",\"hls\":\(JSONText.quoted(playlist(file)))}"
      }
      return .text(
        "{\"files\":[" + items.joined(separator: ",\n") + "]}\n", type: "application/json",
        headers: cache)
    }
    let rows = files.map { file in
      "<li><a href=\"\(path(file))\">\(HTMLText.escaped(file.name))</a> "
        + "(<a href=\"\(playlist(file))\">HLS</a>)</li>"
    }
    let page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Media</title></head><body>
      <h1>Media</h1>
      <ul>
      \(rows.joined(separator: "\n"))
      </ul>
      </body></html>

      """
    return .text(page, type: "text/html; charset=utf-8", headers: cache)
  }

  private static func path(_ file: MediaEntry) -> String { "/" + RequestPath.encoded(file.name) }

  private static func playlist(_ file: MediaEntry) -> String {
    "/hls/" + RequestPath.encoded(file.name) + "/master.m3u8"
  }
}
