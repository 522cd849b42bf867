import Foundation
import SiloDownloads
import SiloMedia
import Synchronization
import Testing

@testable import silo_fetch

@Suite struct GetCommandTests {
  @Test func `JSON lines tell an item from its inventory to its summary`() async throws {
    let printed = Printed()
    #expect(await printed.run(["--json", "http://h/a.mkv"]) == 0)
    let objects = try printed.objects()
    #expect(
      objects.compactMap { $0["event"] as? String } == [
        "inventory", "selected", "warning", "state", "progress", "state", "state", "state",
        "finished",
        "summary",
      ])
    #expect(
      objects.compactMap { $0["state"] as? String } == [
        "transferring", "verifying", "packaging", "finished",
      ])
    #expect(objects.dropLast().allSatisfy { $0["id"] as? String == "1" })
    let finished = try #require(objects.first { $0["event"] as? String == "finished" })
    #expect(finished["path"] as? String == "/out/film.mkv")
    #expect(finished["bytes"] as? Int == 100 && finished["sha256"] as? String == "ab")
    #expect((finished["audio"] as? [Any])?.count == 2)
    #expect((finished["subtitles"] as? [Any])?.count == 1)
    #expect(finished["verified"] as? [String] == ["length", "sha-256", "structure"])
    #expect(
      printed.lines.last == #"{"event":"summary","failed":0,"finished":1,"skipped":0}"#)
    #expect(printed.errors.isEmpty)
  }

  static let runs:
    [(endings: [String: ScriptedDownloads.Ending], sources: [String], status: Int32)] =
      [
        (["a": .failed(.notFound)], ["a"], 3), (["a": .overBudget], ["a"], 9),
        (["a": .failed(.integrity)], ["a", "b"], 1), (["a": .skipped], ["a", "b"], 0),
        (["a": .failed(.space), "b": .failed(.space)], ["a", "b"], 9),
        (["a": .failed(.space), "b": .failed(.auth)], ["a", "b"], 6),
        (["a": .failed(.space), "b": .skipped], ["a", "b"], 1),
      ]

  @Test(arguments: runs.indices) func `the exit code is that of one failure, 1, or 6`(
    index: Int
  ) async throws {
    let row = Self.runs[index]
    let printed = Printed()
    let downloads = ScriptedDownloads(endings: row.endings)
    #expect(await printed.run(["get", "--json"] + row.sources, downloads) == row.status)
    let summary = try #require(try printed.objects().last)
    let counts = ["finished", "skipped", "failed"].compactMap { summary[$0] as? Int }
    #expect(summary["event"] as? String == "summary" && counts.reduce(0, +) == row.sources.count)
  }

  @Test func `a failed item says its class, its message and whether a retry helps`() async throws {
    let printed = Printed()
    let downloads = ScriptedDownloads(endings: ["a": .failed(.temporary)])
    #expect(await printed.run(["get", "a", "--json"], downloads) == 5)
    #expect(
      printed.lines == [
        #"{"event":"state","id":"1","state":"failed"}"#,
        #"{"code":"temporary","event":"failed","id":"1","message":"it failed","retryable":true,"source":"a"}"#,
        #"{"event":"summary","failed":1,"finished":0,"skipped":0}"#,
      ])
  }

  @Test func `progress comes at most four times a second, and once at least`() async throws {
    let clock = Mutex(ContinuousClock.now)
    let printed = Printed()
    let surroundings = printed.surroundings()
    let report = JSONReport(
      output: surroundings.output, errors: surroundings.errors, now: { clock.withLock { $0 } })
    let item = GetItem(id: "1", source: "a")
    for step in 0..<200 {
      report.event(.progress(DownloadProgress(bytes: Int64(step), total: 200)), of: item)
      clock.withLock { $0 += .milliseconds(10) }
    }
    let bytes = try printed.objects().compactMap { $0["bytes"] as? Int }
    #expect(bytes == [0, 34, 68, 102, 136, 170])
    let finished = FinishedDownload(
      path: URL(filePath: "/f"), byteCount: 200, sha256: "", inventory: Film.inventory, verified: []
    )
    report.ended(.finished(finished), of: item)
    report.ended(.finished(finished), of: GetItem(id: "2", source: "b"))
    let all = try printed.objects().filter { $0["event"] as? String == "progress" }
    #expect(all.suffix(2).compactMap { $0["bytes"] as? Int } == [199, 200])
    #expect(all.last?["id"] as? String == "2" && all.last?["total"] as? Int == 200)
  }

  @Test func `a dry run ends after the estimate, and refuses what the budget does not hold`()
    async throws
  {
    let rows: [([String], Int32, [String])] = [
      ([], 0, ["inventory", "selected", "warning", "summary"]),
      (
        ["--max-size", "1M"], 9,
        ["inventory", "selected", "warning", "budget", "state", "failed", "summary"]
      ),
    ]
    for (options, status, events) in rows {
      let printed = Printed()
      #expect(await printed.run(["get", "-n", "--json", "a"] + options) == status)
      #expect(try printed.objects().compactMap { $0["event"] as? String } == events)
    }
  }

  @Test func `sources of a list are fetched too, each once`() async throws {
    let printed = Printed()
    let files = ["/list": "# season\n\na \r\n  b\na\n"]
    #expect(await printed.run(["get", "--from-file", "/list", "b", "--json"], files: files) == 0)
    let sources = try printed.objects().compactMap { $0["source"] as? String }
    #expect(sources.sorted() == ["a", "b"])
    #expect(printed.errors.contains("b was given twice"))
    let empty = Printed()
    #expect(await empty.run(["--from-file", "/list", "--json"], files: ["/list": "#"]) == 0)
    #expect(empty.lines == [#"{"event":"summary","failed":0,"finished":0,"skipped":0}"#])
  }

  static let mistakes: [(words: [String], status: Int32, message: String)] = [
    (["get"], 2, "get needs SOURCE: a URL, silo:ID, or a local file, folder or .m3u8"),
    (["prob", "a"], 2, "there is no command 'prob'; did you mean 'probe'?"),
    (
      ["signin"], 2,
      "there is no command 'signin'; the commands are get, probe, season, search, login, logout, status, add"
    ),
    (["get", "--from-file", "/none"], 2, "--from-file: '/none' cannot be read"),
    (
      ["get", "a", "b", "-o", "x.mkv"], 2,
      "--output 'x.mkv' is one file for several sources; write 'x.mkv/' for a folder"
    ),
    (["get", "a", "--audio", "q9"], 2, "--audio: \"q9\" is no language"),
    (
      ["completion", "tcsh"], 2, "there is no completion for 'tcsh'; the shells are bash, zsh, fish"
    ),
  ]

  @Test(arguments: mistakes.indices) func `a mistake ends with 2 and a usage line on stderr`(
    index: Int
  ) async {
    let row = Self.mistakes[index]
    let printed = Printed()
    #expect(await printed.run(row.words) == row.status)
    #expect(printed.errors.hasPrefix("silo-fetch: \(row.message)"))
    #expect(printed.errors.contains("\nUsage: silo-fetch "))
    #expect(printed.output.isEmpty)
  }

  @Test func `a mistake with JSON is an event of its own, then the summary`() async throws {
    let printed = Printed()
    #expect(await printed.run(["--json", "--audoi", "tr", "a"]) == 2)
    let objects = try printed.objects()
    #expect(objects.map { $0["event"] as? String } == ["failed", "summary"])
    #expect(objects.first?["code"] as? String == "usage")
  }

  @Test func `the configuration file holds, warns of unknown keys, and its mistakes are 7`() async {
    let home = ["XDG_CONFIG_HOME": "/c"]
    let printed = Printed()
    let files = ["/c/silo-fetch/config": "json = true\ncolour = never\n"]
    #expect(await printed.run(["get", "a"], environment: home, files: files) == 0)
    #expect(printed.lines.last?.contains("summary") == true)
    #expect(
      printed.errors
        == "warning: /c/silo-fetch/config:2: there is no key 'colour'; did you mean 'color'?\n")
    let wrong = Printed()
    let broken = ["/c/silo-fetch/config": "jobs = many"]
    #expect(await wrong.run(["get", "a"], environment: home, files: broken) == 7)
    #expect(wrong.errors.hasPrefix("silo-fetch: /c/silo-fetch/config:1: jobs: 'many' should"))
  }

  @Test func `a cancelled run stops its items and says so`() async throws {
    let printed = Printed()
    let downloads = ScriptedDownloads(endings: ["a": .endless, "b": .endless])
    let task = Task { await printed.run(["get", "-j", "1", "--json", "a", "b"], downloads) }
    await printed.until { $0.contains("packaging") }
    task.cancel()
    #expect(await task.value == 130)
    let failed = try printed.objects().filter { $0["event"] as? String == "failed" }
    #expect(failed.compactMap { $0["code"] as? String } == ["interrupted", "interrupted"])
    #expect(failed.allSatisfy { $0["retryable"] as? Bool == true })
  }

  @Test func `the hook gets the result in its environment and prints to stderr alone`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let command =
      "printf '%s|' \"$SILO_PATH\" \"$SILO_ID\" \"$SILO_AUDIO\" \"$SILO_SHA256\" > '\(folder.path)'"
    let printed = Printed()
    #expect(await printed.run(["get", "a", "--json", "--on-complete", command]) == 0)
    #expect(try String(contentsOf: folder, encoding: .utf8) == "/out/film.mkv|1|en,tr|ab|")
    let failing = Printed()
    #expect(await failing.run(["get", "a", "--json", "--on-complete", "exit 3"]) == 0)
    #expect(failing.errors == "warning: --on-complete ended with status 3\n")
  }
}
