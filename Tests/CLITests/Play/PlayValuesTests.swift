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
        for character in "1:3" { #expect(entry.take(key(character)) == .typing) }
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
        func code(_ second: MediaTime, _ frame: Int64) -> MediaTime? {
            frame < 30 ? second + Self.frame * frame : nil
        }
        #expect(TimeEntry.time("3.2", timeCode: code) == .milliseconds(3200))
        #expect(TimeEntry.time("1:30", timeCode: code) == .seconds(90))
        #expect(TimeEntry.time("00:01:30:12", timeCode: code) == .seconds(90) + .milliseconds(400))
        // a second has no thirtieth frame
        #expect(TimeEntry.time("00:01:30:30", timeCode: code) == nil)
        for text in ["::", "-1", "1e1", "abc", "00:00:01:-1"] {
            #expect(TimeEntry.time(text, timeCode: code) == nil, "\(text)")
        }
    }

    @Test("a time code is that of one frame, at 29.97 too: what is shown is what is typed")
    func timeCodes() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        for rate in ["30000/1001", "25"] {
            let path = folder.file("clip.mp4")
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=64x36:r=\(rate):d=70",
                "-c:v", "libx264", path,
            ])
            #expect(made.status == 0, "\(made.errorText)")
            let film = try LoadedTimeline(Timeline(videos: [VideoItem(path)])).film()
            let item = try PlayerItem(film)
            #expect(item.frameCount > 1700)
            let clock = FilmClock(item: item)
            for number in 0..<item.frameCount {
                let text = clock.text(item.time(ofFrame: number))
                #expect(
                    TimeEntry.time(text, timeCode: clock.time) == item.time(ofFrame: number),
                    "\(number) \(text)")
            }
        }
    }

    @Test("each key has one meaning, all of them are on the page, and arrows are keys")
    func keys() {
        let keys = PlayKeys.Action.allCases.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for action in PlayKeys.Action.allCases {
            #expect(action.keys.allSatisfy { PlayKeys.action(for: $0) == action })
            let names = action.keys.map(\.name)
            #expect(
                names.allSatisfy { name in
                    PlayKeys.page.contains { $0.split(separator: " ").contains(Substring(name)) }
                })
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
