import Media
import Testing

@testable import Compose

@Suite("Ducking of music under speech")
struct DuckingTests {
    private func time(_ frames: Int64) -> MediaTime {
        MediaTime(value: frames, timescale: 48_000)
    }

    /// Words on the left (nothing on the right), music of constant height on the right.
    private func film(words: [Range<Int64>], rule: DuckingRule, level: Float = 0.2) -> AudioFilm {
        var film = AudioFilm()
        film.sounds = [
            "music": .level([0, 0.5]),
            "speech": SyntheticAudio { frame, channel in
                channel == 0 && words.contains { $0.contains(frame) } ? level : 0
            },
        ]
        film.track([("speech", .zero, .seconds(6))])
        film.track([("music", .zero, .seconds(6))])
        film.mix.ducking = [rule]
        return film
    }

    /// The gain at a frame by the rule's own words: the lowest of the trapezoids around the loud
    /// windows of 10 ms.
    private func gain(_ frame: Int64, _ words: [Range<Int64>], _ rule: DuckingRule) -> Double {
        let rate = 48_000.0
        let low = Decibel.amplitude(-rule.depth)
        return words.map { word in
            let start = Double(word.lowerBound / 480 * 480)
            let end = Double((word.upperBound + 479) / 480 * 480)
            let hold = rule.hold.frames(48_000)
            let at = Double(frame)
            if at < start {
                let attack = rule.attack.frames(48_000)
                return attack > 0 ? min(1, low + (1 - low) * (start - at) / attack) : 1
            }
            if at <= end + hold { return low }
            let release = rule.release.approximateSeconds * rate
            return release > 0 ? min(1, low + (1 - low) * (at - end - hold) / release) : 1
        }.min() ?? 1
    }

    @Test(
        "the music follows the curve of the rule at every frame",
        arguments: [
            // far apart; so near that the music does not come all the way up; nearer than the hold
            [30_000..<60_000, 200_000..<201_000], [30_000..<60_000, 110_000..<140_000],
            [0..<5000, 5600..<20_000], [100..<200, 250_000..<280_000],
        ] as [[Range<Int64>]])
    func curve(words: [Range<Int64>]) throws {
        let rule = DuckingRule(trackIDs: [2], under: [1], depth: 14)
        let mixed = try film(words: words, rule: rule).renderer().all().channel(1)
        var worst = 0.0
        for frame in 200..<Int64(mixed.count) - 200 {
            let wanted = 0.5 * gain(frame, words, rule)
            worst = max(worst, abs(wanted - Double(mixed[Int(frame)])))
        }
        #expect(worst < 1e-5)
    }

    @Test("the words themselves are not lowered")
    func wordsStay() throws {
        let rule = DuckingRule(trackIDs: [2], under: [1])
        let mixed = try film(words: [48_000..<96_000], rule: rule).renderer().all().channel(0)
        #expect(mixed[48_000..<96_000].allSatisfy { $0 == 0.2 })
    }

    @Test("speech below the threshold lowers nothing, above it does")
    func threshold() throws {
        // a level of 0.02 on one of two sides is −37 dB of RMS
        for (threshold, isDucked) in [(-36.0, false), (-38.0, true)] {
            let rule = DuckingRule(trackIDs: [2], under: [1], threshold: threshold)
            let film = film(words: [48_000..<96_000], rule: rule, level: 0.02)
            let mixed = try film.renderer().all().channel(1)
            #expect((mixed[70_000] < 0.2) == isDucked)
        }
    }

    @Test("a second run gives the same numbers, and no rule leaves the music alone")
    func deterministic() throws {
        let rule = DuckingRule(trackIDs: [2], under: [1])
        var film = film(words: [30_000..<60_000], rule: rule)
        let first = try film.renderer().all()
        #expect(try film.renderer().all() == first)
        film.mix.ducking = []
        #expect(try film.renderer().all().channel(1)[50_000] == 0.5)
    }

    @Test("attack and release of zero are steps at the word's windows")
    func steps() throws {
        let rule = DuckingRule(
            trackIDs: [2], under: [1], depth: 20, attack: .zero, hold: .zero, release: .zero)
        let mixed = try film(words: [48_000..<96_000], rule: rule).renderer().all().channel(1)
        #expect(mixed[47_999] == 0.5 && abs(mixed[48_000] - 0.05) < 1e-6)
        #expect(abs(mixed[95_999] - 0.05) < 1e-6 && mixed[96_001] == 0.5)
    }

    @Test("ducking can be cancelled while it listens")
    func cancelled() throws {
        let rule = DuckingRule(trackIDs: [2], under: [1])
        let renderer = try film(words: [], rule: rule).renderer()
        let error = #expect(throws: MediaError.self) {
            try renderer.prepare(isCancelled: { true })
        }
        #expect(error?.code == .cancelled)
    }
}
