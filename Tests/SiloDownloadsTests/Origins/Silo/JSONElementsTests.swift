import Testing

@testable import SiloDownloads

@Suite("Elements cut out of JSON")
struct JSONElementsTests {
  @Test(
    "the elements of a list are cut out as they were written, of any other text nothing is read beyond its end"
  )
  func elements() {
    let rows: [(String, [String])] = [
      (#"{"m":[{"a":1}, {"b":[1,2],"m":[3]} ],"x":2}"#, [#"{"a":1}"#, #"{"b":[1,2],"m":[3]}"#]),
      (#"{"x":{"m":[1]},"m" : [ 2 , 3 ]}"#, ["2", "3"]),
      (#"{"x":"\"m\":[9]","m":[{"t":"],}\\\""}]}"#, [#"{"t":"],}\\\""}"#]),
      (#"{"m":[]}"#, []), (#"{"m":[  ]}"#, []), (#"{"m":{}}"#, []), (#"{"m":7}"#, []),
      ("{}", []), ("", []), ("[", []), (#"{"m":["#, []), (#"{"m":[1,"#, ["1"]),
      (#"{"m":[{"a":"\"#, []), (#"{"m"#, []), (#"{"m""#, []), ("]]]]", []),
      (#"["m",[1]]"#, []), (#"{"m":null,"m":[4]}"#, ["4"]),
    ]
    for (text, wanted) in rows {
      let found = JSONElements.list("m", in: Array(text.utf8)).map {
        String(decoding: $0, as: UTF8.self)
      }
      #expect(found == wanted, "\(text)")
    }
  }
}
