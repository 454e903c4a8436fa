import Testing

@testable import Writing

private let ms: Int64 = 1_000_000

/// A gate with a lead camera at 0, 40, 80… ms.
private func gate(frames: Int = 0, hasLead: Bool = true) -> PauseGate {
    var gate = PauseGate(start: 0, hasLead: hasLead, stallLimit: 500 * ms)
    for frame in 0..<frames { gate.leadFrame(at: Int64(frame) * 40 * ms) }
    return gate
}

@Test("a pause ends the movie at the first lead frame from then on, a resume continues at the next")
func cutsAtLeadFrames() {
    var gate = gate(frames: 3)
    let changed1 = gate.pause(at: 90 * ms, notBefore: 0)
    #expect(changed1)
    #expect(gate.phase == .pausing(at: 90 * ms))
    #expect(gate.fate(of: 89 * ms) == .kept(movieTime: 89 * ms, span: 0))
    #expect(gate.fate(of: 90 * ms) == .undecided)
    gate.leadFrame(at: 120 * ms)
    #expect(gate.phase == .paused)
    #expect(gate.fate(of: 119 * ms) == .kept(movieTime: 119 * ms, span: 0))
    #expect(gate.fate(of: 120 * ms) == .leftOut)
    let changed2 = gate.resume(at: 1_000 * ms, notBefore: 0)
    #expect(changed2)
    gate.leadFrame(at: 160 * ms)
    #expect(gate.phase == .resuming(at: 1_000 * ms))
    gate.leadFrame(at: 1_010 * ms)
    #expect(gate.phase == .running)
    #expect(gate.fate(of: 1_009 * ms) == .leftOut)
    #expect(gate.fate(of: 1_010 * ms) == .kept(movieTime: 120 * ms, span: 1))
    #expect(gate.movieTime(of: 1_050 * ms) == 160 * ms)
}

@Test("pausing twice is pausing once, and so is resuming")
func idempotent() {
    var gate = gate(frames: 1)
    let changed3 = gate.resume(at: 10 * ms, notBefore: 0)
    #expect(!changed3)
    let changed4 = gate.pause(at: 10 * ms, notBefore: 0)
    #expect(changed4)
    let changed5 = gate.pause(at: 30 * ms, notBefore: 0)
    #expect(!changed5)
    gate.leadFrame(at: 40 * ms)
    let changed6 = gate.pause(at: 50 * ms, notBefore: 0)
    #expect(!changed6)
    let changed7 = gate.resume(at: 60 * ms, notBefore: 0)
    #expect(changed7)
    let changed8 = gate.resume(at: 70 * ms, notBefore: 0)
    #expect(!changed8)
}

@Test("a pause and a resume at one instant leave no trace")
func pauseWithoutLength() {
    var gate = gate(frames: 1)
    _ = gate.pause(at: 10 * ms, notBefore: 0)
    _ = gate.resume(at: 10 * ms, notBefore: 0)
    gate.leadFrame(at: 40 * ms)
    #expect(gate.cuts.isEmpty && gate.phase == .running)
}

@Test("a resume that is taken back before its frame leaves the pause as it was")
func resumeTakenBack() {
    var gate = gate(frames: 1)
    _ = gate.pause(at: 10 * ms, notBefore: 0)
    gate.leadFrame(at: 40 * ms)
    _ = gate.resume(at: 50 * ms, notBefore: 0)
    _ = gate.pause(at: 60 * ms, notBefore: 0)
    gate.leadFrame(at: 80 * ms)
    #expect(gate.cuts == [PauseGate.Cut(movieTime: 40 * ms, start: 40 * ms, end: nil)])
    #expect(gate.phase == .paused)
}

@Test("a silent lead camera is waited for until other tracks are 500 ms past the pause")
func stalledLead() {
    var gate = gate(frames: 1)
    _ = gate.pause(at: 20 * ms, notBefore: 0)
    gate.progress(to: 519 * ms)
    #expect(gate.phase == .pausing(at: 20 * ms))
    gate.progress(to: 520 * ms)
    #expect(gate.phase == .paused)
    #expect(gate.cuts.map(\.start) == [20 * ms])
}

@Test("a lead frame that comes too late decides the same as other tracks would have")
func lateLead() {
    var gate = gate(frames: 1)
    _ = gate.pause(at: 20 * ms, notBefore: 0)
    gate.leadFrame(at: 600 * ms)
    #expect(gate.cuts.map(\.start) == [20 * ms])
}

@Test("without video the cuts are at the instants asked for")
func withoutVideo() {
    var gate = gate(hasLead: false)
    _ = gate.pause(at: 33 * ms, notBefore: 0)
    _ = gate.resume(at: 77 * ms, notBefore: 0)
    #expect(gate.cuts == [PauseGate.Cut(movieTime: 33 * ms, start: 33 * ms, end: 77 * ms)])
}

@Test("what is in the movie already moves a late pause")
func latePause() {
    var gate = gate(frames: 3)
    _ = gate.pause(at: 30 * ms, notBefore: 80 * ms + 1)
    gate.leadFrame(at: 120 * ms)
    #expect(gate.cuts.map(\.start) == [120 * ms])
}

@Test("stopping while pausing ends the movie where the pause was asked for")
func stopWhilePausing() {
    var gate = gate(frames: 2)
    _ = gate.pause(at: 50 * ms, notBefore: 0)
    gate.endSession(at: 60 * ms)
    gate.finish()
    #expect(gate.movieTime(of: 60 * ms) == 50 * ms)
}

@Test("stopping before a resume's frame ends the movie at the cut")
func stopWhileResuming() {
    var gate = gate(frames: 2)
    _ = gate.pause(at: 50 * ms, notBefore: 0)
    gate.leadFrame(at: 80 * ms)
    _ = gate.resume(at: 100 * ms, notBefore: 0)
    gate.endSession(at: 110 * ms)
    gate.finish()
    #expect(gate.movieTime(of: 110 * ms) == 80 * ms)
    #expect(gate.phase == .paused)
}

@Test("a copied H.264 camera continues at its next sync sample, with the audio of that instant")
func copiedCameraResumesAtSync() {
    var session = SessionGate<Int>(
        tracks: [.video(needsSync: true), .audio(rate: 48_000)], start: 0, stallLimit: 500 * ms,
        fade: 3 * ms, heldLimit: .max)
    var shown: [Int] = []
    var sound: [Int64] = []
    for frame in 0..<100 {
        let now = Int64(frame) * 40 * ms
        if frame == 20 { _ = session.pause(at: now) }
        if frame == 30 { _ = session.resume(at: now) }
        session.append(frame, track: 0, at: now, isSync: frame % 25 == 0)
        _ = session.append(frame, track: 1, frames: 1920, at: now)
        for output in session.drain() {
            if case .picture(_, let released) = output { shown.append(released.element) }
            if case .audio(_, let piece) = output, piece.fade.sinceStart == 0 {
                sound.append(Int64(piece.element) * 1920 + Int64(piece.frames.lowerBound))
            }
        }
    }
    // frame 50 is the first sync sample after the resume at 30
    #expect(shown == Array(0..<20) + Array(50..<100))
    #expect(sound == [50 * 1920])
}

@Test("holding back is bounded: past the limit the cut is at the instant asked for")
func boundedHolding() {
    var session = SessionGate<Int>(
        tracks: [.video(needsSync: false), .video(needsSync: false)], start: 0,
        stallLimit: 500 * ms, fade: 3 * ms, heldLimit: 1000)
    session.append(0, track: 0, at: 0, weight: 100)
    _ = session.pause(at: 10 * ms)
    for step in 1...10 { session.append(step, track: 1, at: Int64(step) * 20 * ms, weight: 100) }
    #expect(session.gate.phase == .pausing(at: 10 * ms))
    session.append(11, track: 1, at: 220 * ms, weight: 100)
    #expect(session.gate.phase == .paused)
}

@Test("a marker in a pause lies at the cut, and one that is not decided yet waits")
func markersWait() {
    var session = SessionGate<Int>(
        tracks: [.video(needsSync: false)], start: 0, stallLimit: 500 * ms, fade: 3 * ms,
        heldLimit: .max)
    session.append(0, track: 0, at: 0)
    _ = session.pause(at: 10 * ms)
    session.mark("here", at: 300 * ms)
    let early = session.drain()
    #expect(!early.contains { if case .marker = $0 { true } else { false } })
    session.append(1, track: 0, at: 40 * ms)
    let places = session.drain().compactMap { output -> Int64? in
        if case .marker(_, let time) = output { time } else { nil }
    }
    #expect(places == [40 * ms])
}

@Test("a stamp that would share a tick with the one before is refused and counted")
func tickRefused() {
    var ticks = TickSequence(timescale: 90_000)
    let tick9 = ticks.next(0)
    #expect(tick9 == 0)
    let tick10 = ticks.next(5_000)
    #expect(tick10 == nil)
    let tick11 = ticks.next(6_000)
    #expect(tick11 == 1)
    let tick12 = ticks.next(-1)
    #expect(tick12 == nil)
    #expect(ticks.refused == 2)
    #expect(TickSequence.ticks(-11_111, timescale: 90_000) == -1)
}
