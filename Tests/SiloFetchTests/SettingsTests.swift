import Foundation
import SiloDownloads
import SiloMedia
import Testing

@testable import silo_fetch

@Suite struct SettingsTests {
  static func settings(
    _ line: [String] = [], environment: [String: String] = [:], file text: String = ""
  ) throws -> Settings {
    let reading = try ArgumentReader(table: .siloFetch).read(line + ["source"])
    guard case .run(let invocation) = reading else { throw UsageError("not run") }
    let file = try ConfigFile(path: "/c", text: text, table: .siloFetch)
    return Settings(
      command: .get, given: invocation.options, environment: environment, file: file)
  }

  @Test func `a path below ~ is below HOME, wherever it was said`() throws {
    let home = ["HOME": "/home/ada"]
    let rows: [(Settings, String?)] = [
      (try Self.settings(["--output=~/Films/"], environment: home), "/home/ada/Films/"),
      (
        try Self.settings(environment: home.merging(["SILO_FETCH_OUTPUT": "~/a.mkv"]) { $1 }),
        "/home/ada/a.mkv"
      ),
      (try Self.settings(environment: home, file: "output = ~/b/"), "/home/ada/b/"),
      (try Self.settings(["-o", "~other/x"], environment: home), "~other/x"),
      (try Self.settings(["-o", "~/x"]), "~/x"),
    ]
    for (settings, wanted) in rows { #expect(try settings.path("output") == wanted) }
  }

  @Test func `the option wins over the environment, the environment over the file`() throws {
    let variable = ["SILO_FETCH_MAX_SIZE": "2G"]
    let file = "max-size = 3G"
    let rows: [(Settings, String?)] = [
      (try Self.settings(["--max-size", "1G"], environment: variable, file: file), "1G"),
      (try Self.settings(environment: variable, file: file), "2G"),
      (try Self.settings(environment: ["SILO_FETCH_MAX_SIZE": ""], file: file), "3G"),
      (try Self.settings(file: file), "3G"),
      (try Self.settings(["--max-size", "1G", "--max-size", "5G"]), "5G"),
      (try Self.settings(file: "max-size=3G\nmax-size=4G"), "4G"),
      (try Self.settings(), nil),
    ]
    for (settings, text) in rows { #expect(settings.text("max-size") == text) }
  }

  @Test func `a repeated option collects its values from one place`() throws {
    let environment = ["SILO_FETCH_HEADER": "E: 1\nF: 2"]
    let file = "header = G: 3\nheader = H: 4"
    let rows: [(Settings, [String])] = [
      (
        try Self.settings(["--header", "A: 1", "--header", "B: 2"], environment: environment),
        ["A", "B"]
      ),
      (try Self.settings(environment: environment, file: file), ["E", "F"]),
      (try Self.settings(file: file), ["G", "H"]),
    ]
    for (settings, names) in rows {
      #expect(try HTTPOptions(settings).userHeaders.map(\.name) == names)
    }
  }

  @Test func `a flag of the file can be turned off again`() throws {
    let file = "overwrite = yes"
    #expect(try Self.settings(file: file).isOn("overwrite"))
    #expect(try !Self.settings(["--overwrite=no"], file: file).isOn("overwrite"))
    #expect(
      try !Self.settings(environment: ["SILO_FETCH_OVERWRITE": "0"], file: file).isOn("overwrite"))
  }

  static let mistakes:
    [(options: [String], environment: [String: String], file: String, message: String)] = [
      (["--jobs", "0"], [:], "", "--jobs: '0' should be a whole number from 1 to 64"),
      (
        [], ["SILO_FETCH_JOBS": "two"], "",
        "SILO_FETCH_JOBS: 'two' should be a whole number from 1 to 64"
      ),
      ([], [:], "\njobs = many", "/c:2: jobs: 'many' should be a whole number from 1 to 64"),
      (["--container", "avi"], [:], "", "--container: 'avi' should be auto, mp4 or mkv"),
      (["--color", "blue"], [:], "", "--color: 'blue' should be auto, always or never"),
      (
        ["--video", "big"], [:], "", "--video: 'big' should be best, worst or a height such as 720"
      ),
      (
        ["--max-size", "-1"], [:], "",
        "--max-size: '-1' should be a size such as 4G, 700M or 1000000"
      ),
      (["--limit-rate", "0"], [:], "", "--limit-rate: '0' should be a rate such as 500K or 2M"),
      (["--timeout", "0"], [:], "", "--timeout: '0' should be a number of seconds above 0"),
      (
        ["--checksum", "sha-256=abc"], [:], "",
        "--checksum: 'sha-256=abc' should be ALGO=HEX with sha-512, sha-256, sha-1, md5 or oshash and all of its digits"
      ),
      (
        ["--audio-track", "a0,v1"], [:], "",
        "--audio-track: 'v1' is no audio track; probe names them a0, a1, ..."
      ),
      (
        ["--header", "Authorization secret"], [:], "",
        "--header: '...' should be 'Name: value' in one line"
      ),
      (
        ["--header", "RANGE: bytes=0-1"], [:], "",
        "--header: 'RANGE' is no header to give: requests are framed, and bytes asked for, here"
      ),
      (
        ["--header", "Content-Length: 5"], [:], "",
        "--header: 'Content-Length' is no header to give: requests are framed, and bytes asked for, here"
      ),
      (
        ["--user-agent", "a\r\nEvil: 1"], [:], "",
        "--user-agent: 'a\r\nEvil: 1' should be text in one line"
      ),
      (
        ["--proxy", "socks9://u:secret@h"], [:], "",
        "--proxy: should be [SCHEME://][USER:PASSWORD@]HOST[:PORT] with http, https, socks4, socks4a, socks5 or socks5h"
      ),
      (["--output="], [:], "", "--output: '' should be a path"),
      (["--cookies="], [:], "", "--cookies: '' should be a path"),
      ([], [:], "cacert =", "/c:1: cacert: '' should be a path"),
      (
        ["--video", String(repeating: "x", count: 5000)], [:], "",
        "--video: '\(String(repeating: "x", count: 150))[... 4800 more ...]\(String(repeating: "x", count: 50))' should be best, worst or a height such as 720"
      ),
      ([], [:], "commentary = perhaps", "/c:1: commentary: 'perhaps' should be true or false"),
    ]

  @Test(arguments: mistakes.indices)
  func `a wrong value names where it was said and what it should be`(
    index: Int
  ) throws {
    let row = Self.mistakes[index]
    let settings = try Self.settings(row.options, environment: row.environment, file: row.file)
    let error = #expect(throws: UsageError.self) { _ = try GetOptions(settings) }
    #expect(error?.description == row.message)
    #expect(error?.exitCode == (row.file.isEmpty ? .usage : .config))
  }

  @Test func `everything of get is read into a request`() throws {
    let settings = try Self.settings([
      "-a", "tr, eng ,original,default,und", "--require-audio", "--commentary", "--description",
      "--max-channels", "2", "-s", "en,de", "--video", "720p", "--max-size", "1.5G", "-o", "out/",
      "--container", "mkv", "-j", "3", "-c", "4", "--limit-rate", "500K/s", "--checksum",
      "MD5=D41D8CD98F00B204E9800998ECF8427E", "--user-agent", "x", "--proxy", "p", "--cacert",
      "/ca",
      "--insecure", "--netrc", "--netrc-file", "/n", "--cookies", "/k", "--retry", "5", "--timeout",
      "2.5", "--from-file", "-", "--on-complete", "true", "--overwrite", "--allow-gaps", "-n",
      "--keep-original-file",
    ])
    let options = try GetOptions(settings)
    let request = options.request
    let languages = ["tr", "en"].compactMap { LanguageTag($0) }.map(TrackWishes.AudioWish.language)
    #expect(request.wishes.audio == languages + [.original, .containerDefault, .undetermined])
    #expect(request.wishes.subtitles == .languages(["en", "de"].compactMap { LanguageTag($0) }))
    #expect(request.wishes.video == .height(720) && request.wishes.maximumChannels == 2)
    #expect(request.wishes.requiresAudio && request.wishes.wantsCommentary)
    #expect(request.wishes.wantsDescription && request.maximumSize == 1_610_612_736)
    #expect(request.output == "out/" && request.container == .mkv)
    #expect(
      request.checksum == ExpectedDigest(.md5, hexadecimal: "d41d8cd98f00b204e9800998ecf8427e"))
    #expect(request.overwrites && request.allowsGaps && request.keepsOriginalFile)
    let http = options.http
    #expect(http.bytesPerSecond == 512_000 && http.attempts == 5 && http.stallTime == .seconds(2.5))
    #expect(http.connectionsPerHost == 4)
    #expect(http.userAgent == "x" && http.proxy == "p" && http.acceptsAnyCertificate)
    #expect(http.usesNetrc && http.netrcFile?.path == "/n" && http.cookieFile?.path == "/k")
    #expect(http.certificateAuthorities?.path == "/ca")
    #expect(options.jobs == 3 && options.isDryRun && options.sourceList == "-")
    #expect(options.completionCommand == "true")
  }

  @Test func `nothing said leaves the defaults of CLI.md`() throws {
    let options = try GetOptions(try Self.settings())
    #expect(options.jobs == 2 && options.http.attempts == 10)
    #expect(options.http.stallTime == .seconds(30) && options.request.wishes == TrackWishes())
    #expect(options.request.container == nil && options.request.output == nil)
    #expect(options.display == DisplayOptions())
  }
}

@Suite struct ConfigFileTests {
  @Test func `keys, comments, quotes and underscores are read, an unknown key is a warning`() throws
  {
    let text = "# head\n\n  audio = tr,en \r\nmax_size=4G\nuser-agent = \" a b \"\nmaxsize = 3\n"
    let file = try ConfigFile(path: "/c", text: text, table: .siloFetch)
    #expect(file.entries.map(\.key) == ["audio", "max-size", "user-agent"])
    #expect(file.entries.map(\.value) == ["tr,en", "4G", " a b "])
    #expect(file.entries.map(\.line) == [3, 4, 5])
    #expect(file.warnings == ["/c:6: there is no key 'maxsize'; did you mean 'max-size'?"])
  }

  @Test func `a line that is no setting is an error with its number`() {
    let error = #expect(throws: UsageError.self) {
      try ConfigFile(path: "/c", text: "audio = tr\nbroken", table: .siloFetch)
    }
    #expect(error?.description == "/c:2: 'broken' should be 'key = value'")
    #expect(error?.exitCode == .config)
  }

  @Test func `the file is where XDG says, else in the home`() {
    let rows: [([String: String], String?)] = [
      (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/silo-fetch/config"),
      (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/silo-fetch/config"),
      (["XDG_CONFIG_HOME": "rel", "HOME": "/h"], "/h/.config/silo-fetch/config"), ([:], nil),
    ]
    for (environment, path) in rows { #expect(ConfigFile.path(in: environment) == path) }
  }
}
