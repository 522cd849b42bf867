/// What an NFO file says of a film, a series, a season or an episode; what it does not say is `nil`.
@dynamicMemberLookup struct MediaNotes: Hashable, Sendable, Codable {
  /// What the notes are about.
  enum Kind: String, Hashable, Sendable, Codable {
    case movie
    case series = "tvshow"
    case season
    case episode = "episodedetails"
  }

  var kind: Kind
  var title: String?
  var facts = TitleFacts()
  var season: Int?
  var episode: Int?

  /// Notes of that kind that say nothing.
  init(kind: Kind) { self.kind = kind }

  /// One of the facts.
  subscript<Fact>(dynamicMember fact: WritableKeyPath<TitleFacts, Fact>) -> Fact {
    get { facts[keyPath: fact] }
    set { facts[keyPath: fact] = newValue }
  }
}
