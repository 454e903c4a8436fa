import Media
import Testing

@testable import Detect

@Suite("Which sightings of slates are one showing")
struct SlateDeskTests {
    private func code(_ text: String, _ type: MetadataObjectType = .qr) -> MachineReadableCode {
        MachineReadableCode(
            type: type, time: .zero, stringValue: text, bytes: Array(text.utf8), corners: [])
    }

    private func clock(_ time: Int64) -> String { "vcap-slate:1?clock=k&time=\(time)&step=100" }

    private let slate = "vcap-slate:1?take=3"

    @Test("a slate that is held for five seconds is one showing, at the first frame that shows it")
    func held() {
        var desk = SlateDesk(rate: FrameRate(5))
        let showings = (0..<25).map {
            desk.see([code(slate)], at: .milliseconds(1000 + 200 * $0)).count
        }
        #expect(showings == [1] + Array(repeating: 0, count: 24))
    }

    @Test("one that is not seen for two seconds is the same showing, for longer another one")
    func away() {
        var desk = SlateDesk(rate: FrameRate(5))
        #expect(desk.see([code(slate)], at: .seconds(1)) == [.slate(Slate(take: "3"))])
        #expect(desk.see([], at: .seconds(2)).isEmpty)
        #expect(desk.see([code(slate)], at: .seconds(3)).isEmpty)
        #expect(desk.see([], at: .seconds(4)).isEmpty)
        #expect(desk.see([code(slate)], at: .milliseconds(5001)).count == 1)
    }

    @Test("one that is held while nobody looks, however long, is the same showing")
    func blind() {
        var desk = SlateDesk(rate: FrameRate(5))
        #expect(desk.see([code(slate)], at: .seconds(1)).count == 1)
        #expect(desk.see([code(slate)], at: .seconds(60)).isEmpty)
        #expect(desk.see([], at: .seconds(61)).isEmpty)
        // out of sight for a second of what was looked at, and for 40 s of what was not
        #expect(desk.see([], at: .seconds(100)).isEmpty)
        #expect(desk.see([code(slate)], at: .milliseconds(100_500)).count == 1)
        var other = SlateDesk(rate: FrameRate(5))
        #expect(other.see([code(slate)], at: .seconds(1)).count == 1)
        #expect(other.see([], at: .milliseconds(1200)).isEmpty)
        #expect(other.see([code(slate)], at: .seconds(3)).isEmpty)
    }

    @Test("where frames are looked at each two seconds a slate may be missed twice")
    func slowly() {
        var desk = SlateDesk(rate: FrameRate(1, per: 2))
        #expect(desk.see([code(slate)], at: .seconds(0)).count == 1)
        #expect(desk.see([code(slate)], at: .seconds(6)).isEmpty)
        for second: Int64 in [8, 10] { #expect(desk.see([], at: .seconds(second)).isEmpty) }
        #expect(desk.see([code(slate)], at: .milliseconds(12_001)).count == 1)
    }

    @Test(
        "two cameras that see one slate see one showing, in whatever order their frames are looked at"
    )
    func cameras() {
        var desk = SlateDesk(rate: FrameRate(5))
        #expect(desk.see([code(slate)], at: .milliseconds(1200)).count == 1)
        #expect(desk.see([code(slate)], at: .milliseconds(1100)).isEmpty)
        #expect(desk.see([code(slate)], at: .milliseconds(3190)).isEmpty)
    }

    @Test("a code whose text is not in UTF-8 is refused, because what it says is a guess")
    func otherCoding() {
        var desk = SlateDesk(rate: FrameRate(5))
        let text = "vcap-slate:1?title=\u{FF85}"
        var guessed = code(text)
        guessed.bytes = Array("vcap-slate:1?title=".utf8) + [0xC5]
        #expect(desk.see([guessed], at: .seconds(1)) == [.refused("its text is not in UTF-8")])
        var other = SlateDesk(rate: FrameRate(5))
        #expect(other.see([code(text)], at: .seconds(1)) == [.slate(Slate(title: "\u{FF85}"))])
    }

    @Test("a running clock is one showing, and another clock another one")
    func clocks() {
        var desk = SlateDesk(rate: FrameRate(5))
        let counts = (0..<20).map {
            desk.see([code(clock($0 * 100))], at: .milliseconds($0 * 100)).count
        }
        #expect(counts.reduce(0, +) == 1)
        let other = "vcap-slate:1?clock=other&time=0&step=100"
        #expect(desk.see([code(other)], at: .seconds(2)).count == 1)
    }

    @Test(
        "other codes are none, slates of other symbologies too; a refused one is said once a showing"
    )
    func others() {
        var desk = SlateDesk(rate: FrameRate(5))
        let codes = [
            code("https://example.org"), code(slate, .dataMatrix), code("vcap-slate:7?take=1"),
        ]
        let first = desk.see(codes, at: .zero)
        #expect(first.count == 1)
        guard case .refused(let reason) = first.first else {
            return #expect(Bool(false), "\(first)")
        }
        #expect(reason.contains("version 7"))
        #expect(desk.see(codes, at: .seconds(1)).isEmpty)
    }

    @Test("a screen that shows new slates all the time fills neither the report nor memory")
    func flood() {
        var desk = SlateDesk(rate: FrameRate(5))
        var (slates, ends) = (0, 0)
        for number in 0..<3000 {
            for showing in desk.see(
                [code("vcap-slate:1?take=\(number)")], at: .milliseconds(Int64(number) * 100))
            {
                if showing == .tooMany { ends += 1 } else { slates += 1 }
            }
        }
        #expect(slates == 1000 && ends == 1)
        // what would be a new showing anyway is forgotten
        #expect(desk.rememberedCount <= 65, "\(desk.rememberedCount)")
    }
}
