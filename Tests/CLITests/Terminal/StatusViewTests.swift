import Media
import Recording
import Testing

@testable import vcap

@Suite("What the status line shows")
struct StatusViewTests {
    private var status: RecorderStatus {
        var status = RecorderStatus()
        status.state = .recording
        status.elapsed = .seconds(5)
        status.tracks = [.init(index: 0, mediaType: .video, name: "Camera")]
        return status
    }

    @Test("a pause says how long it has lasted, and the next one begins anew")
    func pausedTime() {
        var view = StatusView()
        var paused = status
        paused.state = .pausing
        _ = view.line(paused, at: .seconds(100), width: 100, look: .plain)
        paused.state = .paused
        let line = view.line(paused, at: .seconds(165), width: 100, look: .plain)
        #expect(line.hasPrefix("‖ paused 00:01:05  00:00:05"))
        let running = view.line(status, at: .seconds(166), width: 100, look: .plain)
        #expect(!running.contains("paused"))
        let again = view.line(paused, at: .seconds(200), width: 100, look: .plain)
        #expect(again.hasPrefix("‖ paused 00:00:00"))
    }

    @Test("an encoder that does not keep up is reported while it loses frames and 3 s on")
    func behind() {
        var view = StatusView()
        var lossy = status
        func line(_ status: RecorderStatus, _ second: Int64) -> String {
            view.line(status, at: .seconds(second), width: 100, look: .plain)
        }
        #expect(!line(lossy, 1).contains("behind"))
        lossy.tracks[0].drops = [.encoderBehind: 3, .driverGap: 1]
        #expect(line(lossy, 2).contains("  encoder behind"))
        #expect(line(lossy, 4).contains("  encoder behind  "))
        #expect(!line(lossy, 5).contains("  encoder behind  "))
        lossy.tracks[0].drops[.diskBehind] = 1
        #expect(line(lossy, 6).contains("disk behind"))
    }

    @Test("drops are red, and colours take no columns")
    func colors() {
        let look = TerminalLook { $0 == "TERM" ? "xterm" : nil }
        var lossy = status
        lossy.tracks[0].drops = [.driverGap: 2]
        let line = StatusLine.text(lossy, width: 60, look: look)
        #expect(line.contains("\u{1B}[31m2 dropped (driver-gap 2)\u{1B}[0m"))
        #expect(line.hasPrefix("\u{1B}[31m● rec\u{1B}[0m  "))
        let plain = line.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(plain == StatusLine.text(lossy, width: 60))
    }

    @Test("levels of the microphones stand where the loudest one's number stood")
    func levels() {
        var meters = LevelMeters()
        meters.take([-24], at: .seconds(1))
        var loud = status
        loud.tracks.append(.init(index: 1, mediaType: .audio, name: "Microphone"))
        loud.tracks[1].audioPeak = -24
        let around = StatusLine.Surroundings(levels: meters.parts)
        let line = StatusLine.text(loud, around, width: 120)
        #expect(line.contains("██████······"))
        #expect(!line.contains("-24 dB"))
    }

    @Test("weeks of room on a disk are reported in days")
    func days() {
        #expect(Amounts.roughly(seconds: 9_981_840) == "115d12h")
        #expect(Amounts.roughly(seconds: 86_400) == "1d00h")
        #expect(Amounts.roughly(seconds: 86_399) == "23h59m")
    }

    @Test("the page of keys names each key once, and what was replaced by its other key")
    func page() throws {
        let page = try KeyBindings(pauseKey: nil, stopKey: nil).page()
        #expect(page.count == 6)
        #expect(page[0].contains("p or space") && page[1].contains("m "))
        #expect(page[2].contains("i ") && page[2].contains("photo"))
        let own = try KeyBindings(
            pauseKey: Key(byte: UInt8(ascii: "m")), stopKey: Key(byte: UInt8(ascii: "?"))
        ).page()
        #expect(own.contains { $0.contains("n ") && $0.contains("marker") })
        #expect(own.contains { $0.contains("h ") && $0.contains("this page") })
    }

    @Test("every microphone has a bar of its own, in the take's order, silent when it is gone")
    func microphones() {
        var view = StatusView()
        var status = RecorderStatus()
        status.state = .recording
        status.tracks = [("Camera", nil), ("Left", 0), ("Right", -.infinity)].enumerated().map {
            let (name, peak): (String, Double?) = $1
            var track = RecorderStatus.Track(
                index: $0, mediaType: peak == nil ? .video : .audio, name: name)
            track.audioPeak = peak
            return track
        }
        let line = view.line(status, at: .seconds(1), width: 200, look: .plain)
        #expect(line.contains("████████████!"), "\(line)")
        #expect(line.contains("············ "), "\(line)")
        status.tracks[1].silence = .seconds(60)
        status.tracks[1].audioPeak = -.infinity
        let later = view.line(status, at: .seconds(60), width: 200, look: .plain)
        #expect(later.contains("Left gone 1m"), "\(later)")
        #expect(!later.contains("█"), "\(later)")
    }
}
