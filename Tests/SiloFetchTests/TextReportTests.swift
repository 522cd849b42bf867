import Foundation
import SiloDownloads
import SiloMedia
import Synchronization
import Testing

@testable import silo_fetch

@Suite struct TextReportTests {
  final class Stage: Sendable {
    let printed = Printed()
    let clock = Mutex(ContinuousClock.now)
    let item = GetItem(id: "1", source: "http://u:p@h/films/master.m3u8?t=1")

    func report(_ terminal: Terminal, _ display: DisplayOptions = DisplayOptions()) -> TextReport {
      TextReport(
        output: printed.surroundings().errors, terminal: terminal, display: display,
        now: { [self] in clock.withLock { $0 } })
    }

    func wait(_ duration: Duration) { clock.withLock { $0 += duration } }

    func progress(_ report: TextReport, steps: Int, every: Duration) {
      report.event(.phase(.transferring), of: item)
      for step in 1...steps {
        let progress = DownloadProgress(
          bytes: Int64(step) << 20, total: Int64(steps) << 20, bytesPerSecond: 1_048_576,
          remaining: .seconds(steps - step))
        report.event(.progress(progress), of: item)
        wait(every)
      }
    }
  }

  @Test func `without a terminal there is a line per state and per half minute`() {
    let stage = Stage()
    let report = stage.report(Terminal(isInteractive: false))
    stage.progress(report, steps: 65, every: .seconds(1))
    report.event(.phase(.verifying), of: stage.item)
    report.event(.phase(.verifying), of: stage.item)
    report.ended(.failed(Failure(.integrity, "cut\u{1b}[2J")), of: stage.item)
    #expect(
      stage.printed.errors == """
        films/master.m3u8: transferring
        films/master.m3u8  47 %  31.0 MiB of 65.0 MiB  1.0 MiB/s  ETA 0:34
        films/master.m3u8  93 %  61.0 MiB of 65.0 MiB  1.0 MiB/s  ETA 0:04
        films/master.m3u8: verifying
        error: films/master.m3u8: cut\\u{1b}[2J

        """)
  }

  @Test func `on a terminal the line is drawn again at most ten times a second, within its width`()
  {
    let stage = Stage()
    let report = stage.report(Terminal(isInteractive: true, width: 60))
    stage.progress(report, steps: 200, every: .milliseconds(10))
    let frames = stage.printed.errors.components(separatedBy: "\u{1b}[1A\r\u{1b}[J")
    #expect((19...22).contains(frames.count))
    for frame in frames { #expect(frame.count <= 60, "\(frame)") }
    #expect(!stage.printed.errors.contains("100 %"))
    report.ended(.skipped, of: stage.item)
    #expect(stage.printed.errors.hasSuffix("\u{1b}[1A\r\u{1b}[J"))
  }

  @Test func `no progress, quiet: fewer lines, but errors always`() {
    var quiet = DisplayOptions()
    quiet.isQuiet = true
    var still = DisplayOptions()
    still.showsProgress = false
    let rows: [(DisplayOptions, String)] = [
      (quiet, "error: films/master.m3u8: cut\n"),
      (still, "films/master.m3u8: transferring\nerror: films/master.m3u8: cut\n"),
    ]
    for (display, text) in rows {
      let stage = Stage()
      let report = stage.report(Terminal(isInteractive: true), display)
      stage.progress(report, steps: 65, every: .seconds(1))
      report.ended(.failed(Failure(.integrity, "cut")), of: stage.item)
      #expect(stage.printed.errors == text)
    }
  }

  @Test func `a finished item names its file, its languages and what was verified`() {
    let stage = Stage()
    let report = stage.report(Terminal(isInteractive: false))
    let finished = FinishedDownload(
      path: URL(filePath: "/o/f.mkv"), byteCount: 1024, sha256: "", inventory: Film.inventory,
      verified: ["length", "structure"])
    report.ended(.finished(finished), of: stage.item)
    #expect(
      stage.printed.errors
        == "finished: /o/f.mkv, 1.0 KiB, audio en (default), tr, verified: length, structure\n")
  }

  @Test func `a total that is not known gives bytes and rate alone`() {
    let progress = DownloadProgress(
      bytes: 5 << 20, bytesPerSecond: 1_048_576, remaining: .seconds(5))
    let line = ProgressLine(name: "f", phase: .transferring, progress: progress)
    #expect(line.text(width: 80) == "f  5.0 MiB  1.0 MiB/s")
    let whole = DownloadProgress(bytes: 100, total: 100)
    #expect(
      ProgressLine(name: "f", phase: .transferring, progress: whole).text(width: 80).contains(
        "99 %"))
  }

  @Test func `colours follow the option, NO_COLOR, CLICOLOR_FORCE and the terminal`() {
    let rows: [(DisplayOptions.Color, Bool, [String: String], Bool)] = [
      (.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, false, ["CLICOLOR_FORCE": "1"], true),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, [:], false),
    ]
    for (color, isInteractive, environment, result) in rows {
      #expect(
        Terminal.usesColor(color, isInteractive: isInteractive, environment: environment) == result)
    }
  }

  @Test func `names of sources hide credentials, queries and control characters`() {
    let rows: [(String, String, String)] = [
      ("https://u:p@h:8/a/film.mkv?t=s#f", "https://h:8/a/film.mkv", "film.mkv"),
      (
        "http://h/hls/My%20Film/master.m3u8", "http://h/hls/My%20Film/master.m3u8",
        "My Film/master.m3u8"
      ),
      ("dir/a\u{7}.mkv", "dir/a\\u{7}.mkv", "a\\u{7}.mkv"), ("film.mkv", "film.mkv", "film.mkv"),
    ]
    for (source, full, short) in rows {
      #expect(SourceName.full(source) == full)
      #expect(SourceName.short(source) == short)
    }
  }

  @Test func `headers make one client per origin under one limit, and local files get none`() throws
  {
    var options = HTTPOptions()
    options.userHeaders = [HTTPHeader("Authorization", "x")]
    options.bytesPerSecond = 1000
    let made = Mutex([HTTPOptions]())
    let sources = ["http://A/x", "http://a:80/y", "https://b/z", "/local"]
    let clients = Clients(options, sources: sources) { options in
      made.withLock { $0.append(options) }
      return ScriptedDownloads()
    }
    _ = clients
    let all = made.withLock { $0 }
    let origins = all.compactMap { $0.credentialOrigin?.absoluteString }
    #expect(origins.sorted() == ["http://a:80", "https://b:443"])
    #expect(all.filter { $0.credentialOrigin == nil }.allSatisfy { $0.userHeaders.isEmpty })
    // One limit for all of them, not one each.
    #expect(all.allSatisfy { $0.rateLimit === options.rateLimit } && options.rateLimit != nil)
  }
}
