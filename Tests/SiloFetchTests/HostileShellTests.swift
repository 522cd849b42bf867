import Foundation
import SiloTestSupport
import Testing

/// What a shell can do to a program: streams that are closed or full, limits, bytes of another encoding, pipes as files.
@Suite(.timeLimit(.minutes(5))) struct HostileShellTests {
  let program: String
  let folder: TemporaryFolder

  init() throws {
    program = try productPath("silo-fetch")
    folder = try TemporaryFolder()
  }

  /// Runs a line of bash in a folder of its own; `$sf` is the program.
  private func shell(_ line: String, film: Bool = false) async throws -> CommandResult {
    if film { _ = try await SiloTestSupport.Film.mkv.copy(to: folder, as: "film.mkv") }
    let environment = [
      "sf": program, "XDG_CONFIG_HOME": "/nowhere", "SILO_FETCH_HOME": folder.path("home"),
      "http_proxy": nil, "ALL_PROXY": nil, "LC_ALL": "C.UTF-8",
    ]
    return try await run("bash", ["-c", line], environment: environment, in: folder.path)
  }

  static let refusals: [(line: String, status: Int32, says: String)] = [
    ("ulimit -n 9; exec $sf --version", 7, "(ulimit -n), too few to run"),
    ("ulimit -n 7; exec $sf probe ./x", 7, "(ulimit -n), too few to run"),
    ("$sf --help >/dev/full", 9, "No space left on device"),
    ("$sf --version >/dev/full", 9, "No space left on device"),
    ("$sf completion bash >/dev/full", 9, "No space left on device"),
    ("$sf help --man >/dev/full", 9, "No space left on device"),
    ("$sf --version >&-", 7, "standard output cannot be written"),
    ("$sf $'l\\xe9.mkv'", 2, "argument 1, 'l\u{FFFD}.mkv', is not in UTF-8"),
    ("$sf ./x -o $'\\xff.mkv'", 2, "argument 3, '\u{FFFD}.mkv', is not in UTF-8"),
    ("SILO_FETCH_OUTPUT=$'\\xff' $sf ./x", 2, "SILO_FETCH_OUTPUT is not in UTF-8"),
    ("mkdir $'\\xff'; cd $'\\xff'; $sf ./x", 2, "the current folder"),
    ("printf '\\xff.mkv' | $sf --from-file -", 2, "it is not in UTF-8"),
    ("$sf ''", 2, "SOURCE 1 is empty"), ("$sf probe ''", 2, "SOURCE 1 is empty"),
    ("$sf serve ''", 2, "FOLDER 1 is empty"), ("$sf ./x -o ''", 2, "--output: '' should be a path"),
    ("mkfifo p; $sf probe p", 7, "no regular file"), ("mkfifo p; $sf p", 7, "no regular file"),
    ("mkfifo p; $sf ./x --cookies p", 7, "--cookies: 'p' cannot be used: it is no regular file"),
    ("mkfifo p; $sf ./x --netrc-file p", 7, "it is no regular file"),
    ("mkfifo p; $sf ./x --cacert p", 7, "it is no regular file"),
    ("$sf probe ./x --cookies none", 7, "--cookies: 'none' cannot be used: No such file"),
    ("$sf ./x --netrc-file none", 7, "--netrc-file: 'none' cannot be used: No such file"),
    ("$sf --from-file /dev/zero", 2, "larger than the 16.0 MiB"),
    ("$sf --from-file none", 2, "No such file"), ("$sf --from-file .", 2, "it is a folder"),
    ("head -c 9 /dev/zero | $sf --from-file -", 2, "it is no text: byte 1 is a zero"),
    (
      "mkdir -p silo-fetch; mkfifo silo-fetch/config; XDG_CONFIG_HOME=$PWD $sf ./x", 7, "no regular"
    ),
    (
      "mkdir -p silo-fetch; head -c 2000000 /dev/zero > silo-fetch/config; XDG_CONFIG_HOME=$PWD $sf ./x",
      7, "larger than the 1.0 MiB"
    ),
    (
      "$sf ./x --json >/dev/full", 3, "standard output cannot be written"
    ),
  ]

  @Test(arguments: refusals.indices) func `what cannot be used is refused at once with its name`(
    index: Int
  ) async throws {
    let row = Self.refusals[index]
    let result = try await shell(row.line)
    #expect(result.status == row.status, "\(row.line): \(result.stderr)")
    #expect(result.stderr.contains(row.says), "\(row.line): \(result.stderr)")
    #expect(result.errors.count < 10_000)
    #expect(!FileManager.default.fileExists(atPath: folder.path("home/state.sqlite")))
  }

  @Test func `too few open files are named wherever they are missed`() async throws {
    for limit in [16, 22, 23, 24, 26] {
      let line = "ulimit -n \(limit); exec $sf film.mkv -o out\(limit).mkv"
      let result = try await shell(line, film: limit == 16)
      #expect(
        result.status == 0 || result.status == 7 && result.stderr.contains("ulimit -n"),
        "\(limit): \(result.stderr)")
    }
  }

  @Test func `sources of one name do not blame another program`() async throws {
    let result = try await shell(
      "mkdir a b; cp film.mkv a; cp film.mkv b; $sf a/film.mkv b/film.mkv -o out/", film: true)
    #expect(result.status == 1)
    #expect(
      result.stderr.contains("two sources of this run") || result.stderr.contains("another source"))
    #expect(!result.stderr.contains("another download"))
  }

  @Test func `a damaged record of finished files does not stop downloads, and is kept`()
    async throws
  {
    try folder.write("home/state.sqlite", "no database")
    let first = try await shell("$sf film.mkv -o out.mkv", film: true)
    #expect(first.status == 0, "\(first.stderr)")
    #expect(first.stderr.contains("state.sqlite.damaged-1"))
    let again = try await shell("$sf film.mkv -o out.mkv")
    #expect(again.status == 0 && again.stderr.contains("skipped"), "\(again.stderr)")
    #expect(!again.stderr.contains("damaged"))
  }

  static let losses: [(line: String, status: Int32, says: String)] = [
    ("$sf film.mkv --json -o out.mkv >/dev/full", 9, "the downloads go on"),
    ("$sf film.mkv --json -o out.mkv >&-", 7, "the downloads go on"),
    (
      "set -o pipefail; $sf film.mkv --json -o out.mkv | true", 0,
      "nobody reads standard output any more"
    ),
    ("$sf film.mkv -o out.mkv >&- <&-", 0, "finished"),
    ("$sf --from-file <(echo film.mkv) -o out.mkv", 0, "finished"),
  ]

  @Test(arguments: losses.indices) func `a download is finished whoever reads of it`(
    index: Int
  ) async throws {
    let row = Self.losses[index]
    let result = try await shell(row.line, film: true)
    #expect(result.status == row.status, "\(row.line): \(result.stderr)")
    #expect(result.stderr.contains(row.says), "\(row.line): \(result.stderr)")
    #expect(try folder.read("out.mkv") == folder.read("film.mkv"))
  }
}
