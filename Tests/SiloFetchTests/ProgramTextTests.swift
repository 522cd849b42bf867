import Glibc
import Testing

@testable import silo_fetch

@Suite("The program's text")
struct ProgramTextTests {
  @Test("it is let go as often as one likes, in whole pages, and the program goes on")
  func letGo() {
    let once = ProgramText.letGo()
    #expect(once > 0 && once % sysconf(Int32(_SC_PAGESIZE)) == 0)
    #expect(ProgramText.letGo() == once)
  }
}
