package import SiloMedia

/// One rendition to be fetched whole.
package struct RenditionRequest: Sendable {
  /// A name that stays the same from run to run, and is shown in messages: "audio tr".
  package var name: String
  /// What its segments hold.
  package var form: RenditionSpool.Form
  /// The segments in playlist order, as read in this run.
  package var segments: [MediaSegment]

  /// The rendition `name` with the segments of `playlist`.
  package init(name: String, form: RenditionSpool.Form = .media, playlist: MediaPlaylist) {
    self.init(name: name, form: form, segments: playlist.segments)
  }

  /// A rendition of the given segments.
  package init(name: String, form: RenditionSpool.Form = .media, segments: [MediaSegment]) {
    self.name = name
    self.form = form
    self.segments = segments
  }
}

/// A hole that the playlist itself declares (EXT-X-GAP).
package struct SegmentGap: Hashable, Sendable {
  /// The rendition's name.
  package var rendition: String
  /// The media sequence number.
  package var mediaSequence: Int
  /// Where it starts in the playlist.
  package var start: Duration
  /// How long it is.
  package var duration: Duration
}

/// What a transfer of segments leaves on disk; their tables fill while it runs.
package struct SpooledRenditions: Sendable {
  /// One spool for each request, in their order.
  package var spools: [RenditionInput]
  /// The name of each in the journal.
  var ids: [Int64]
  /// The declared holes, which no spool has.
  package var gaps: [SegmentGap]

  /// The bytes that are in the spools now.
  package var byteCount: Int64 { spools.reduce(0) { $0 + $1.table.byteCount } }
}

/// A part that was given back arrives as something else: its rendition was forgotten, and everything is to be opened anew.
package struct SpoolStartsOver: Error {}
