import Foundation
import SiloDownloads
import SiloMedia
import Testing

@testable import silo_fetch

@Suite struct ProbeCommandTests {
  @Test func `JSON has exactly the promised shape`() async throws {
    let printed = Printed()
    #expect(await printed.run(["probe", "http://h/film.mp4", "--json"]) == 0)
    #expect(
      printed.output == """
        {"audio":[\
        {"bytes":2000000,"bytes_basis":"exact","channels":2,"codec":"aac","default":true,"id":"a0",\
        "index":0,"language":"en","language_stored":"eng","layout":"stereo","original":false,\
        "role":"main","sample_rate":48000,"title":"English \\u001b[2J"},\
        {"channels":6,"codec":"ac3","default":false,"id":"a1","index":1,"language":"tr",\
        "layout":"5.1(side)","original":true,"role":"commentary"}],\
        "bytes":640012345,"bytes_basis":"exact",\
        "chapters":[{"end":142.5,"start":0,"title":"One"}],\
        "container":"mp4","duration":1200.033,"encryption":"none","kind":"file",\
        "selection":{"audio":["a1","a0"],"bytes":602000000,"bytes_basis":"measured",\
        "default_audio":"a1","fallback":false,"missing":["de"],"reasons":{"a1":"first of tr"},\
        "subtitles":[],"video":["v0"]},\
        "source":"http://h/film.mp4",\
        "subtitles":[{"codec":"webvtt","default":false,"forced":false,"hearing_impaired":false,\
        "id":"s0","language":"en","language_stored":"eng"}],\
        "video":[{"bytes":600000000,"bytes_basis":"measured","codec":"h264","default":false,\
        "frame_rate":25,"hdr":"sdr","height":720,"id":"v0","width":1280}],\
        "warnings":["no German"]}

        """)
  }

  @Test func `people get a table with the chosen tracks marked and no control characters`() async {
    let printed = Printed()
    #expect(await printed.run(["probe", "film.mp4"]) == 0)
    #expect(
      printed.output == """
        mp4, 20:00, 610 MiB exact, 1 chapter
          TRACK  LANGUAGE    NAME               CODEC   DETAILS                          BYTES
        * v0     -           -                  h264    1280x720, 25 fps                 572 MiB measured
        * a0     en English  English \\u{1b}[2J  aac     stereo, default                  1.9 MiB exact
        * a1     tr Turkish  -                  ac3     5.1(side), original, commentary
          s0     en English  -                  webvtt
        Chosen: a1 tr (default), a0 en; no subtitles; 574 MiB measured
        Missing: de

        """)
    #expect(printed.errors == "warning: no German\n")
  }

  @Test func `verbose adds the reason for each track`() async {
    let printed = Printed()
    #expect(await printed.run(["probe", "-v", "film.mp4"]) == 0)
    #expect(printed.output.hasSuffix("Missing: de\n  a1: first of tr\n"))
  }

  @Test func `a budget that is exceeded is 9`() async throws {
    let rows: [([String], Int32, String)] = [
      (
        ["--max-size", "1M"], 9,
        "error: The selection needs about 574 MiB, more than the 1.0 MiB allowed. Nothing of it fits.\n"
      ), (["--max-size", "1G"], 0, "warning: no German\n"),
    ]
    for (options, status, message) in rows {
      let printed = Printed()
      #expect(await printed.run(["probe", "film.mp4", "--json"] + options) == status)
      #expect(printed.errors.hasSuffix(message))
      #expect(try printed.objects().count == 1)
    }
  }

  @Test func `a failure is one object with its class, and the exit code of it`() async throws {
    let downloads = ScriptedDownloads(endings: ["http://u:p@h/x?token=1": .failed(.temporary)])
    let printed = Printed()
    #expect(await printed.run(["probe", "http://u:p@h/x?token=1", "--json"], downloads) == 5)
    #expect(
      printed.output == """
        {"code":"temporary","event":"failed","message":"it failed","retryable":true,"source":"http://h/x"}

        """)
    #expect(printed.errors == "error: it failed\n")
  }
}
