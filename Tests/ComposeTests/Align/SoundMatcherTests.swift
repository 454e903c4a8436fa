import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Recordings of one event are aligned by what they have heard")
struct SoundMatcherTests {
    @Test(
        "clean recordings are aligned within one audio frame", arguments: [0, 3.25, -7.123_456_7])
    func clean(offset: Double) throws {
        let scene = SoundScene(.speech, seconds: 50, seed: 12)
        var (one, other) = (Microphone(), Microphone())
        (one.start, other.start) = (10, 10 + offset)
        let trial = try AlignmentTrial(
            reference: one.recording(of: scene), recording: other.recording(of: scene))
        let error = try #require(trial.error(reference: one, recording: other))
        #expect(error < 1 / 48_000.0, "\(error * 48_000) frames")
        #expect(trial.result?.isInverted == false)
        #expect(trial.result.map { abs($0.line.stretch) < 1e-6 } ?? false)
    }

    @Test("a clock that runs 150 ppm fast is found to a fraction of a ppm, upside down or not")
    func drift() throws {
        let scene = SoundScene(.music, seconds: 140, seed: 4)
        var (one, other) = (Microphone(), Microphone())
        (one.start, one.seconds) = (5, 120)
        (other.start, other.seconds, other.drift) = (9, 120, 150)
        other.isInverted = true
        let trial = try AlignmentTrial(
            reference: one.recording(of: scene), recording: other.recording(of: scene))
        let result = try #require(trial.result)
        #expect(abs((1 / (1 + result.line.stretch) - 1) * 1e6 - 150) < 1)
        #expect(result.isInverted)
    }

    @Test("a recording of which a part is another event's is not aligned as a whole")
    func cut() throws {
        let scene = SoundScene(.speech, seconds: 60, seed: 31)
        var (one, other) = (Microphone(), Microphone())
        (one.start, one.seconds) = (2, 50)
        (other.start, other.seconds) = (2, 24)
        var late = other
        late.start = 29
        let trial = try AlignmentTrial(
            reference: one.recording(of: scene),
            recording: other.recording(of: scene) + late.recording(of: scene))
        // three seconds are missing in its middle
        guard case .broken(let found) = trial.outcome else {
            Issue.record("\(trial.outcome)")
            return
        }
        #expect(abs(found.shift - 3) < 0.01 && abs(found.time - 24) < 5, "\(found)")
    }

    @Test(
        "a part of a fifth that lies elsewhere is noticed, wherever the cut is and however short",
        arguments: [20.0, 30, 75], [0.03, 0.1, 3])
    func cutAnywhere(at seconds: Double, missing: Double) throws {
        let scene = SoundScene(.speech, seconds: 125, seed: 40)
        var (one, before) = (Microphone(), Microphone())
        (one.start, one.seconds) = (2, 100)
        (before.start, before.seconds) = (4, seconds)
        var after = before
        (after.start, after.seconds) = (4 + seconds + missing, 95 - seconds)
        let trial = try AlignmentTrial(
            reference: one.recording(of: scene),
            recording: before.recording(of: scene) + after.recording(of: scene))
        guard case .broken(let found) = trial.outcome else {
            Issue.record("\(trial.outcome)")
            return
        }
        #expect(abs(found.shift - missing) < 0.002 && abs(found.time - seconds) < 10, "\(found)")
    }

    @Test("what repeats itself is refused, although it fits perfectly", arguments: [0, 4])
    func repeating(offset: Double) throws {
        for kind in [SoundScene.Kind.metronome, .loop] {
            let scene = SoundScene(kind, seconds: 60, seed: 8)
            var (one, other) = (Microphone(), Microphone())
            (one.start, other.start) = (10, 10 + offset)
            let trial = try AlignmentTrial(
                reference: one.recording(of: scene), recording: other.recording(of: scene))
            guard case .repeating = trial.outcome else {
                Issue.record("\(kind): \(trial.outcome)")
                continue
            }
        }
    }

    @Test("without the look for a second place a metronome would be aligned")
    func control() throws {
        let scene = SoundScene(.metronome, seconds: 60, seed: 8)
        var (one, other) = (Microphone(), Microphone())
        (one.start, other.start) = (10, 14)
        let sounds = [one, other].map { ArraySound($0.recording(of: scene)) }
        let matcher = SoundMatcher(
            reference: (sounds[0], try sounds[0].profile()),
            recording: (sounds[1], try sounds[1].profile()))
        let fits = try ProfileSearch(matcher.recording.profile, in: matcher.reference.profile)
            .fits { _ throws(MediaError) in }
        let proved = try LineVote(fits: fits).candidates(3).compactMap {
            try LineProof($0.line, matcher)?.evidence()
        }
        #expect(proved.filter { $0.agreeing.count >= LineProof.least }.count > 1)
    }

    @Test("ten seconds in common are enough, two are not", arguments: [(10.0, true), (2.0, false)])
    func shortOverlap(common: Double, isAligned: Bool) throws {
        let scene = SoundScene(.speech, seconds: 70, seed: 77)
        var (one, other) = (Microphone(), Microphone())
        (one.start, other.start) = (1, 31 - common)
        let trial = try AlignmentTrial(
            reference: one.recording(of: scene), recording: other.recording(of: scene))
        #expect((trial.result != nil) == isAligned, "\(trial.outcome)")
        if isAligned {
            let error = try #require(trial.error(reference: one, recording: other))
            #expect(error < 0.001)
        }
    }
}

/// Two devices at one event and at two: 10 s apart at most, 200 ppm, 12 dB above the noise of each, filters, echoes,
/// polarity, levels that clip.
@Suite("Alignment of any two recordings")
struct LongAlignmentTests {
    @Test("devices at one event are aligned within a millisecond")
    func pairs() throws {
        var refused: [UInt64] = []
        for seed in Sweep.part(6, of: Array(UInt64(0)..<300)) {
            let pair = AlignmentTrial.pair(seed)
            let trial = try AlignmentTrial(
                reference: pair.reference.recording(of: pair.scene),
                recording: pair.recording.recording(of: pair.scene))
            if let error = trial.error(reference: pair.reference, recording: pair.recording) {
                #expect(error < 0.001, "\(seed): \(pair.kind), \(error * 1000) ms")
            } else {
                refused.append(seed)
            }
        }
        #expect(refused.isEmpty)
    }

    @Test("devices at two events are never aligned")
    func strangers() throws {
        for seed in Sweep.part(12, of: Array(UInt64(0)..<500)) {
            let pair = AlignmentTrial.strangers(seed)
            let trial = try AlignmentTrial(reference: pair.one, recording: pair.other)
            #expect(trial.result == nil, "\(seed): \(pair.name)")
        }
    }
}
