import Testing

@testable import Compose

@Suite("Who speaks")
struct SpeakerCutsTests {
    /// Levels of microphones: `who` at each second, the others hear them 12 dB less loud.
    private func cuts(
        _ who: [Int?], microphones: Int = 2, hasWideShot: Bool = false, shortest: Double = 2
    ) -> SpeakerCuts {
        let steps = Int((1 / SpeakerLevels.window).rounded())
        let levels = (0..<microphones).map { microphone in
            who.flatMap { speaker in
                [Double](
                    repeating: speaker == nil ? -70 : speaker == microphone ? -20 : -32,
                    count: steps)
            }
        }
        return SpeakerCuts(levels: levels, hasWideShot: hasWideShot, shortest: shortest)
    }

    private func shots(_ cuts: SpeakerCuts) -> [String] {
        cuts.shots.map { "\($0.camera) at \(($0.start * 100).rounded() / 100)" }
    }

    @Test("the camera changes shortly before somebody else's first word")
    func turns() {
        let who = [0, 0, 0, 0, 1, 1, 1, 1, nil, nil, 0, 0, 0]
        #expect(shots(cuts(who)) == ["0 at 0.0", "1 at 3.9", "0 at 9.9"])
    }

    @Test("who speaks first is shown from the beginning")
    func first() {
        #expect(shots(cuts([nil, 1, 1, 1, 0, 0, 0, 0])) == ["1 at 0.0", "0 at 3.9"])
    }

    @Test("a short interjection changes nothing, and no shot is shorter than asked")
    func short() {
        #expect(shots(cuts([0, 0, 0, 1, 0, 0, 0], shortest: 5)) == ["0 at 0.0"])
        #expect(
            shots(cuts([0, 1, 1, 1, 1, 0, 0, 0, 0], shortest: 3))
                == ["0 at 0.0", "1 at 3.0", "0 at 6.0"])
    }

    @Test("a camera without a microphone shows while nobody speaks")
    func wide() {
        let who = [0, 0, 0, nil, nil, nil, nil, nil, 1, 1, 1, 1]
        #expect(
            shots(cuts(who, hasWideShot: true)) == ["0 at 0.0", "2 at 2.9", "1 at 7.9"])
        #expect(shots(cuts(who)) == ["0 at 0.0", "1 at 7.9"])
    }

    @Test("silence is nobody's, and nothing is one shot")
    func silence() {
        #expect(shots(cuts([nil, nil, nil])) == ["0 at 0.0"])
        #expect(shots(cuts([])) == ["0 at 0.0"])
    }
}
