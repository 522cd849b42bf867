import SiloDownloads
import Testing

@Suite("Waiting")
struct WaitingTests {
  @Test("the clock of the system does not go back, and a cancelled wait says so")
  func waiting() async throws {
    let waiting = Waiting.system
    let first = waiting.now()
    #expect(waiting.now() >= first)
    #expect((0..<1).contains(waiting.random()))
    let task = Task { try await waiting.sleep(.seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
