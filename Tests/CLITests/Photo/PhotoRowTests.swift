import Capture
import Media
import Testing

@testable import vcap

@Suite("A row of photos as it is taken")
struct PhotoRowTests {
    private static func row(missing count: Int) -> PhotoRow {
        var row = PhotoRow(frame: .milliseconds(33))
        for number in 0..<count { row.miss(number, (count: 5, bytes: 512 << 20)) }
        return row
    }

    @Test("photos that found no room are counted, and the row has failed")
    func missed() {
        let row = Self.row(missing: 3)
        #expect(row.missed == 3)
        let failure = row.failure(of: 20)
        #expect(failure?.code == .failedRunning)
        #expect(failure?.message.contains("3 of 20 photos were not taken") == true)
        #expect(row.cautions(isHidden: false).isEmpty, "the failure says it")
    }

    @Test("where another failure ends the row, they are said beside it")
    func hidden() {
        #expect(
            Self.row(missing: 3).cautions(isHidden: true).contains {
                $0.contains("3 photos of the row were not taken")
            })
        #expect(
            Self.row(missing: 1).cautions(isHidden: true).contains {
                $0.contains("1 photo of the row was not taken")
            })
    }

    @Test("a row without a miss has no failure and nothing to say")
    func complete() {
        let row = Self.row(missing: 0)
        #expect(row.failure(of: 20) == nil)
        #expect(row.cautions(isHidden: true).isEmpty)
    }
}
