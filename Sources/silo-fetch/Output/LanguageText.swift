import SiloMedia

/// A language for people: the tag, and its English name.
enum LanguageText {
  /// `tr Turkish`; the tag alone when nobody named it.
  static func text(_ tag: LanguageTag) -> String {
    let name = tag.englishName
    return name.isEmpty || name == tag.description ? tag.description : "\(tag) \(name)"
  }
}
