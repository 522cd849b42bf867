extension CommandOption {
  /// Which tracks: the same for `get` and `probe`.
  static let tracks: [CommandOption] = [
    CommandOption(
      name: "audio", letter: "a", kind: .value("LIST"),
      help: "languages in order of preference; the first found is the default",
      discussion: """
        BCP-47 or ISO 639 codes, or all, original, default. Each entry keeps its best track. Without it \
        every audio track is kept.
        """, section: .tracks, completion: .words(["all", "original", "default"])),
    CommandOption(
      name: "audio-track", kind: .value("ID,..."),
      help: "exactly these audio tracks of the inventory (a0,a2)", section: .tracks),
    CommandOption(
      name: "require-audio", kind: .flag,
      help: "fail (exit 3) when a listed language is missing", section: .tracks),
    CommandOption(
      name: "commentary", kind: .flag, help: "also keep commentary of the wanted languages",
      section: .tracks),
    CommandOption(
      name: "description", kind: .flag,
      help: "also keep audio description of the wanted languages", section: .tracks),
    CommandOption(
      name: "max-channels", kind: .value("N"), help: "prefer tracks within N channels",
      section: .tracks),
    CommandOption(
      name: "subs", letter: "s", kind: .value("LIST"),
      help: "subtitle languages, all (default) or none",
      discussion: "Forced subtitles of the default audio's language are always kept.",
      section: .tracks, completion: .words(["all", "none"])),
    CommandOption(
      name: "video", kind: .value("WHICH"),
      help: "HLS variant: best (default), worst, or the best not above HEIGHT",
      section: .tracks, completion: .words(["best", "worst", "2160", "1080", "720", "480"])),
    CommandOption(
      name: "max-size", kind: .value("SIZE"),
      help: "refuse (exit 9) a selection above it, naming what would fit",
      discussion: "4G, 700M, bytes. K, M, G count in 1024; KB, MB, GB in 1000.", section: .tracks),
  ]

  /// What of the file is kept: `get` alone.
  static let keeping: [CommandOption] = [
    CommandOption(
      name: "keep-original-file", kind: .flag,
      help: "keep the file as downloaded beside the packaged one", section: .output)
  ]

  /// Where to and in which form.
  static let output: [CommandOption] = [
    CommandOption(
      name: "output", letter: "o", kind: .value("PATH"),
      help: "a file, or a folder (ends in / or exists)", section: .output, completion: .file),
    CommandOption(
      name: "container", kind: .value("FORM"),
      help: "auto (default: mp4 when everything fits it, else mkv), mp4 or mkv",
      section: .output, completion: .words(["auto", "mp4", "mkv"])),
    CommandOption(
      name: "overwrite", kind: .flag, help: "replace a finished file instead of skipping it",
      section: .output),
    CommandOption(
      name: "checksum", kind: .value("ALGO=HEX"),
      help: "digest that a plain file must have (sha-512, sha-256, sha-1, md5, oshash)",
      section: .output,
      completion: .words(["sha-512=", "sha-256=", "sha-1=", "md5=", "oshash="])),
    CommandOption(
      name: "allow-gaps", kind: .flag,
      help: "go on over EXT-X-GAP segments; chapters mark the holes (exit 8)", section: .output),
  ]

  /// What of several sources is done, and what happens after.
  static let running: [CommandOption] = [
    CommandOption(
      name: "from-file", kind: .value("FILE"),
      help: "one source per line, # comments; - reads stdin", section: .output,
      completion: .file),
    CommandOption(
      name: "on-complete", kind: .value("CMD"),
      help: "run sh -c CMD after each finished item, the result in SILO_PATH, SILO_ID and others",
      discussion: """
        Also SILO_SOURCE, SILO_BYTES, SILO_SHA256, SILO_AUDIO (languages, default first). What CMD prints \
        goes to stderr.
        """, section: .output),
    CommandOption(
      name: "dry-run", letter: "n", kind: .flag, help: "everything up to the estimate",
      section: .output),
  ]
}
