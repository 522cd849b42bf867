import SiloContract
import Testing

@testable import SiloServer

/// Rows of the contract's conformance table, and what is asked for them.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  /// The numbers of the rows.
  let numbers: [Int]
  let title: String
  let check: @Sendable () async throws -> Void

  init(
    _ numbers: [Int], _ title: String, check: @escaping @Sendable () async throws -> Void
  ) {
    (self.numbers, self.title, self.check) = (numbers, title, check)
  }

  var testDescription: String {
    "\(numbers.map(String.init).joined(separator: ", ")): \(title)"
  }
}

/// The conformance table of the contract, over real sockets.
///
/// This server prepares no files, so what needs a pipeline is asked of the rules that decide it and not of the server: 2 and
/// 11 to 14 (`DeliveryRulesTests`), 21 (the registry), and of 53 the description of a prepared file, whose row is set by hand.
@Suite struct ConformanceTableTests {
  static let cases =
    RegistrationCases.cases + FileCases.cases + LimitCases.cases + CutFileCases.cases
    + PreparedCases.cases

  @Test(arguments: cases) func `The server answers as the contract has it`(
    _ row: ConformanceCase
  ) async throws {
    try await row.check()
  }

  @Test func `Every row of this part of the contract is in the table`() {
    #expect(Set(Self.cases.flatMap(\.numbers)) == Set(1...58))
  }
}
