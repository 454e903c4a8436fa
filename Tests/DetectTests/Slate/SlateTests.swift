import Media
import TestSupport
import Testing

@testable import Detect

@Suite("The text of a slate")
struct SlateTests {
    private func slate(_ text: String) -> Slate? {
        guard case .slate(let slate) = Slate.reading(text) else { return nil }
        return slate
    }

    private func refusal(_ text: String) -> String? {
        guard case .refused(let reason) = Slate.reading(text) else { return nil }
        return reason
    }

    @Test("a slate that was written by hand is read, whatever of it is written out")
    func byHand() {
        let plain = slate("vcap-slate:1?title=Über uns&scene=2&take=3A")
        #expect(plain == Slate(title: "Über uns", scene: "2", take: "3A"))
        #expect(slate("vcap-slate:1?take=3A&scene=2&title=%C3%9cber%20uns") == plain)
        #expect(plain?.markerText == "Über uns, scene 2, take 3A")
        let own = slate("vcap-slate:1?title=A&marker=1%2B1=2+x")
        #expect(own?.marker == "1+1=2+x" && own?.markerText == "1+1=2+x")
        #expect(slate("vcap-slate:1?do=stop") == Slate(action: "stop"))
        #expect(slate("vcap-slate:1?do=stop")?.markerText == nil)
        #expect(slate("vcap-slate:1?title=&take=2&&")?.title == nil)
    }

    @Test("a code that is no slate is none, and not spoken of")
    func others() {
        for text in [
            "", "https://example.org/vcap-slate:1?title=A", "VCAP-SLATE:1?title=A",
            " vcap-slate:1?a",
            "vcap-slate", "title=A",
        ] {
            #expect(Slate.reading(text) == nil, "\(text)")
        }
    }

    @Test("keys that are not known are passed over and named, when they are words")
    func unknownKeys() {
        let found = slate("vcap-slate:1?lens=35&title=A&\u{1B}[31m=x&camera=B")
        #expect(found?.title == "A")
        #expect(found?.unknownKeys == ["lens", "?", "camera"])
    }

    @Test(
        "hostile slates are refused with a reason that has nothing of theirs in it",
        arguments: [
            ("vcap-slate:", "no version"), ("vcap-slate:1", "no version"),
            ("vcap-slate:?title=A", "version is no number"),
            ("vcap-slate:2?title=A", "version 2"),
            ("vcap-slate:\u{1B}[31m?title=A", "version is no number"),
            ("vcap-slate:1?", "says nothing"), ("vcap-slate:1?title=", "says nothing"),
            ("vcap-slate:1?lens=35", "says nothing"),
            ("vcap-slate:1?title=A&title=B", "title is given twice"),
            ("vcap-slate:1?title=%", "hexadecimal"), ("vcap-slate:1?title=%4", "hexadecimal"),
            ("vcap-slate:1?title=%zz", "hexadecimal"), ("vcap-slate:1?title=%+1", "hexadecimal"),
            ("vcap-slate:1?title=%ff", "no UTF-8"), ("vcap-slate:1?title=%C0%80", "no UTF-8"),
            ("vcap-slate:1?title=%EF%BF%BD", "no UTF-8"),
            ("vcap-slate:1?title=%1B[31m", "cannot be seen"),
            ("vcap-slate:1?title=\u{1B}[31m", "cannot be seen"),
            ("vcap-slate:1?title=a%0Ab", "cannot be seen"),
            ("vcap-slate:1?title=a\u{200E}b", "cannot be seen"),
            ("vcap-slate:1?title=a\u{200F}b", "cannot be seen"),
            ("vcap-slate:1?title=a\u{061C}b", "cannot be seen"),
            ("vcap-slate:1?take=%00", "cannot be seen"),
            ("vcap-slate:1?scene=\u{202E}2", "cannot be seen"),
            ("vcap-slate:1?do=rm%20-rf", "no word"), ("vcap-slate:1?do=a;b", "no word"),
            ("vcap-slate:1?clock=&time=1&step=100", "clock's name"),
            ("vcap-slate:1?clock=a-b&time=1&step=100", "clock's name"),
            ("vcap-slate:1?clock=a&time=-1&step=100", "clock's time"),
            ("vcap-slate:1?clock=a&time=9999999999999999&step=100", "clock's time"),
            ("vcap-slate:1?clock=a&time=1&step=0", "clock's step"),
            ("vcap-slate:1?clock=a&time=1", "clock's step"),
            ("vcap-slate:1?time=1", "clock's name"),
            ("vcap-slate:1?clock=a&time=1&step=100&title=A", "says other things"),
        ])
    func hostile(_ text: String, _ reason: String) throws {
        let given = try #require(refusal(text), "\(text)")
        #expect(given.contains(reason), "\(given)")
        #expect(given.unicodeScalars.allSatisfy { !$0.steersTerminals })
    }

    @Test("a value of 200 bytes is taken and one of 201 refused, so is a text beyond 1,024")
    func lengths() {
        func text(_ count: Int) -> String {
            "vcap-slate:1?title=" + String(repeating: "a", count: count)
        }
        #expect(slate(text(200)) != nil)
        #expect(refusal(text(201))?.contains("longer than 200") ?? false)
        // as it is written it is longer, as it is read it is not
        #expect(
            slate("vcap-slate:1?title=" + String(repeating: "%61", count: 200))?.title
                == String(repeating: "a", count: 200))
        #expect(refusal(text(1100))?.contains("longer than 1024") ?? false)
    }

    @Test("what is written is read back, character for character, and is ASCII")
    func roundTrip() throws {
        for slate in [
            Slate(title: "a&b=c%d?e#f+g", scene: "2/3", take: "\u{1F3AC} Ω", marker: "ß"),
            Slate(action: "pause"), Slate(take: "1"),
            Slate(clock: .init(name: "k7f3qa", milliseconds: 1_700_000_000_000, step: 100)),
        ] {
            let text = try slate.text()
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(Slate.reading(text) == .slate(slate))
        }
        for slate in [
            Slate(), Slate(title: String(repeating: "x", count: 201)), Slate(title: "a\u{7}"),
            Slate(action: "two words"),
            Slate(title: "a", clock: .init(name: "a", milliseconds: 0, step: 1)),
        ] {
            #expect(throws: MediaError.self) { try slate.text() }
        }
    }

    @Test("no text of any bytes is more than read or refused")
    func anything() {
        var random = SplitMix(seed: 8)
        let pieces = [
            "vcap-slate:", "1", "?", "title=", "&", "%", "%4", "clock=", "time=", "step=", "do=",
            "=", "a", "9", "\u{0}", "\u{202E}", "é",
        ]
        for _ in 0..<20_000 {
            var text = "vcap-slate:1?"
            for _ in 0..<Int(random.next() % 12) {
                text += pieces[Int(random.next() % UInt64(pieces.count))]
            }
            guard let slate = slate(text) else { continue }
            #expect(!slate.isEmpty)
            for value in [slate.title, slate.scene, slate.take, slate.marker].compactMap({ $0 }) {
                #expect(value.unicodeScalars.allSatisfy { !$0.steersTerminals })
            }
        }
    }
}
