import TestSupport
import Testing

@testable import Writing

private let ms: Int64 = 1_000_000

/// What a gate with a wanted length leaves of a schedule.
private struct Wanted {
    var gate: SessionGate<Int64>
    /// Movie times of the frames of both cameras.
    var pictures: [[Int64]] = [[], []]
    var frames: Int64 = 0
    var reportedEnds: [Int64] = []

    init(_ schedule: RandomSchedule, limit: Int64?) {
        let cameras: [SessionGate<Int64>.TrackKind] = [
            .video(needsSync: false), .video(needsSync: false),
        ]
        gate = SessionGate(
            tracks: (schedule.hasLead ? cameras : []) + [.audio(rate: schedule.audioRate)],
            start: schedule.start, stallLimit: RandomSchedule.stallLimit, fade: 3 * ms,
            heldLimit: .max, limit: limit)
        let audio = schedule.hasLead ? 2 : 0
        for event in schedule.events {
            switch event {
            case .lead(let time): gate.append(time, track: 0, at: time)
            case .other(let time): gate.append(time, track: 1, at: time)
            case .audio(let time, let frames):
                _ = gate.append(0, track: audio, frames: frames, at: time)
            case .pause(let time): _ = gate.pause(at: time)
            case .resume(let time): _ = gate.resume(at: time)
            }
            collect()
        }
        gate.endSession(at: schedule.end)
        gate.finish()
        collect()
    }

    private mutating func collect() {
        for output in gate.drain() {
            switch output {
            case .picture(let track, let released): pictures[track].append(released.movieTime)
            case .audio(_, let piece): frames = piece.position + Int64(piece.frames.count)
            case .reachedLimit(let time): reportedEnds.append(time)
            case .late, .early, .undone, .endMoved, .leftOut, .paused, .resumed, .marker: break
            }
        }
    }

    var cuts: [PauseGate.Cut] { gate.gate.cuts }
    var length: Int64 { gate.gate.movieTime(of: gate.gate.end ?? 0) }
}

/// A length near a pause or resume of the schedule, where it has one.
private func length(near free: Wanted, seed: UInt64) -> Int64 {
    var random = SplitMix(seed: seed &* 31 &+ 5)
    let tick: Int64 = 11_111
    let near: [Int64] = [0, 1, -1, tick, -tick, 10 * ms, -10 * ms, 33 * ms, -33 * ms, 3 * ms]
    let cut = free.cuts.randomElement(using: &random)?.movieTime
    let base = cut ?? Int64.random(in: 1...max(1, free.length), using: &random)
    return max(1, base + (near.randomElement(using: &random) ?? 0))
}

private func fault(_ seed: UInt64) -> String? {
    let schedule = RandomSchedule(seed: seed)
    let free = Wanted(schedule, limit: nil)
    let limit = length(near: free, seed: seed)
    let wanted = Wanted(schedule, limit: limit)
    // asked to stop in the past, a movie ends where nothing has been given out: audio is given out
    // up to a wanted end that was passed already
    let longest = max(free.length, limit - free.length < 100 * ms ? limit : 0)
    guard (min(limit, free.length)...min(limit, longest)).contains(wanted.length) else {
        return "\(wanted.length) ns long, wanted \(limit) of \(free.length)"
    }
    let frames = TickSequence.ticks(
        wanted.length, timescale: Int64(schedule.audioRate))
    // a microphone that begins after the first span was not there
    let firstSpan = min(limit, free.cuts.first?.movieTime ?? limit)
    let isHeard = schedule.firstAudio + ms / 20 < schedule.start + firstSpan
    if isHeard, wanted.frames != frames {
        return "\(wanted.frames) audio frames, not \(frames)"
    }
    let cuts = free.cuts.filter { $0.movieTime < limit }
    if wanted.cuts != cuts { return lateFault(wanted, cuts, limit) }
    for track in 0..<2 where wanted.pictures[track] != free.pictures[track].filter({ $0 < limit }) {
        return "other pictures of track \(track) than without the length"
    }
    if wanted.reportedEnds.count > 1 { return "the end was reported twice" }
    return nil
}

/// A pause asked for too late, when the audio was given out up to the end, leaves no trace: then the
/// movie has its whole length and the pauses before are the same.
private func lateFault(_ wanted: Wanted, _ cuts: [PauseGate.Cut], _ limit: Int64) -> String? {
    let known = wanted.cuts
    guard known.count < cuts.count, known == Array(cuts.prefix(known.count)),
        limit - cuts[known.count].movieTime < 100 * ms, wanted.length == limit
    else { return "other pauses than without the length" }
    return nil
}

@Test("a wanted length is exact in 50,000 random takes, near any pause or resume")
func wantedLengths() async {
    let faults = await withTaskGroup(of: [String].self) { group in
        for worker: UInt64 in 0..<2 {
            group.addTask {
                stride(from: worker, to: 50_000, by: 2).compactMap { seed in
                    fault(seed).map { "seed \(seed): \($0)" }
                }
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(faults.isEmpty, "\(faults.count) takes failed, such as \(faults.prefix(5))")
}

@Test(
    "the wanted end moves with a pause before it, stays for one after it, and is reported once passed"
)
func wantedEndMoves() {
    var gate = PauseGate(start: 0, hasLead: true, stallLimit: 500 * ms, limit: 1_000 * ms)
    #expect(gate.end == 1_000 * ms && gate.finalEnd == nil)
    _ = gate.pause(at: 90 * ms, notBefore: 0)
    #expect(gate.fate(of: 1_000 * ms) == .undecided)
    gate.leadFrame(at: 120 * ms)
    #expect(gate.end == nil)
    _ = gate.resume(at: 500 * ms, notBefore: 0)
    gate.leadFrame(at: 520 * ms)
    #expect(gate.end == 1_400 * ms)
    gate.leadFrame(at: 1_399 * ms)
    #expect(gate.finalEnd == nil)
    var asked = gate
    let late = asked.pause(at: 1_400 * ms, notBefore: 0)
    #expect(!late && asked.finalEnd == 1_400 * ms)
    let early = asked.pause(at: 1_399 * ms, notBefore: 0)
    #expect(!early)
    gate.leadFrame(at: 1_400 * ms)
    #expect(gate.finalEnd == 1_400 * ms)
    #expect(gate.fate(of: 1_400 * ms - 1) == .kept(movieTime: 1_000 * ms - 1, span: 1))
    #expect(gate.fate(of: 1_400 * ms) == .leftOut)
}

@Test("a pause whose frame comes after the wanted end ends the movie there, not before")
func pauseAcrossTheEnd() {
    var gate = PauseGate(start: 0, hasLead: true, stallLimit: 500 * ms, limit: 100 * ms)
    gate.leadFrame(at: 80 * ms)
    _ = gate.pause(at: 95 * ms, notBefore: 0)
    _ = gate.resume(at: 99 * ms, notBefore: 0)
    gate.leadFrame(at: 120 * ms)
    #expect(gate.cuts.isEmpty)
    #expect(gate.finalEnd == 100 * ms)
    #expect(gate.phase == .running)
    let again = gate.pause(at: 130 * ms, notBefore: 0)
    #expect(!again)
}

@Test("an end that is set before the wanted one wins, a later one does not")
func setEnd() {
    var gate = PauseGate(start: 0, hasLead: true, stallLimit: 500 * ms, limit: 100 * ms)
    gate.endSession(at: 160 * ms)
    #expect(gate.finalEnd == 100 * ms)
    gate.endSession(at: 60 * ms)
    #expect(gate.finalEnd == 60 * ms)
}
