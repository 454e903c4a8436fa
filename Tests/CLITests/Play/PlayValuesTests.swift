import Compose
import Media
import Play
import TestSupport
import Testing

@testable import vcap

@Suite("What is typed and printed while playing")
struct PlayValuesTests {
    private static let frame = MediaTime(value: 1, timescale: 30)

    private func key(_ character: Character) -> Key { Key(byte: character.asciiValue ?? 0) }

    @Test("a time is typed with digits and colons, corrected, entered or given up")
    func entry() {
        var entry = TimeEntry()
        for character in "1:x3" { #expect(entry.take(key(character)) == .typing) }
        #expect(entry.text == "1:3")
        #expect(entry.take(Key(byte: 0x7F)) == .typing)
        #expect(entry.take(key("5")) == .typing)
        #expect(entry.take(Key(byte: 0x0D)) == .done("1:5"))
        #expect(entry.take(Key(byte: 0x1B)) == .cancelled)
        var empty = TimeEntry()
        #expect(empty.take(Key(byte: 0x0A)) == .cancelled)
        for _ in 0..<100 { _ = empty.take(key("9")) }
        #expect(empty.text.count == 16)
    }

    @Test("a typed time is seconds, a clock's time, or a time code that counts frames")
    func times() {
        #expect(TimeEntry.time("3.2", frameDuration: Self.frame) == .milliseconds(3200))
        #expect(TimeEntry.time("1:30", frameDuration: Self.frame) == .seconds(90))
        #expect(
            TimeEntry.time("00:01:30:12", frameDuration: Self.frame)
                == .seconds(90) + .milliseconds(400))
        // a second has no thirtieth frame, and audio has none at all
        #expect(TimeEntry.time("00:01:30:30", frameDuration: Self.frame) == nil)
        #expect(TimeEntry.time("00:01:30:12", frameDuration: .zero) == nil)
        #expect(TimeEntry.time("::", frameDuration: Self.frame) == nil)
    }

    @Test("each key has one meaning, all of them are on the page, and arrows are keys")
    func keys() {
        let keys = PlayKeys.Action.allCases.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for action in PlayKeys.Action.allCases {
            #expect(action.keys.allSatisfy { PlayKeys.action(for: $0) == action })
            #expect(PlayKeys.page.contains { $0.contains(action.words) })
        }
        #expect(PlayKeys.action(for: Key(.left)) == .secondBack)
        #expect(Key(.left).name == "left")
        // lines fit into the smallest window that opens
        #expect(PlayKeys.page.allSatisfy { $0.count <= 64 })
    }

    @Test("a time behind a frame's begin by rounding is that of the frame, never the one before")
    func part() {
        #expect(PlayListing.words(MediaTime(value: 1, timescale: 3)) == "0.333334s")
        #expect(PlayListing.words(.seconds(2)) == "2s")
        #expect(PlayListing.words(.milliseconds(1500)) == "1.5s")
    }
}
