import TestSupport
import Testing

@testable import Writing

/// Runs a schedule through a session gate and notes everything that came out.
private struct Run {
    struct Picture {
        let time: Int64
        let movieTime: Int64
        let startsSpan: Bool
    }

    struct Sound {
        let source: Range<Int64>
        let position: Int64
        let fade: AudioFade
    }

    var gate: SessionGate<Int64>
    var pictures: [[Picture]] = [[], []]
    var sounds: [Sound] = []
    var leftOut = [0, 0, 0]
    var appended = [0, 0, 0]
    var anchor: Int64?
    /// For each pause asked for: when, and the lead frames delivered before.
    var asked: [(time: Int64, seen: Int64)] = []

    init(_ schedule: RandomSchedule, limit: Int64? = nil) {
        let cameras: [SessionGate<Int64>.TrackKind] = [
            .video(needsSync: false), .video(needsSync: false),
        ]
        gate = SessionGate(
            tracks: schedule.hasLead
                ? cameras + [.audio(rate: schedule.audioRate)]
                : [.audio(rate: schedule.audioRate)],
            start: schedule.start, stallLimit: RandomSchedule.stallLimit, fade: 3_000_000,
            heldLimit: .max, limit: limit)
        let audio = schedule.hasLead ? 2 : 0
        var lead = Int64.min
        for event in schedule.events {
            switch event {
            case .lead(let time):
                appended[0] += 1
                lead = time
                gate.append(time, track: 0, at: time)
            case .other(let time):
                appended[1] += 1
                gate.append(time, track: 1, at: time)
            case .audio(let time, let frames):
                let first = Int64(appended[2])
                appended[2] += frames
                anchor = anchor ?? time
                _ = gate.append(first, track: audio, frames: frames, at: time)
            case .pause(let time):
                guard gate.pause(at: time) else { break }
                // what has gone into the movie already moves the instant
                var effective = time
                if case .pausing(let moved) = gate.gate.phase { effective = moved }
                asked.append((effective, lead))
            case .resume(let time):
                _ = gate.resume(at: time)
            }
            collect(audio)
        }
        gate.endSession(at: schedule.end)
        gate.finish()
        collect(audio)
    }

    private mutating func collect(_ audio: Int) {
        for output in gate.drain() {
            switch output {
            case .picture(let track, let released):
                pictures[track].append(
                    Picture(
                        time: released.element, movieTime: released.movieTime,
                        startsSpan: released.startsSpan))
            case .audio(_, let piece):
                let first = piece.element + Int64(piece.frames.lowerBound)
                sounds.append(
                    Sound(
                        source: first..<first + Int64(piece.frames.count),
                        position: piece.position, fade: piece.fade))
            case .leftOut(let track, let count): leftOut[track == audio ? 2 : track] += count
            case .late, .early, .undone, .endMoved, .paused, .resumed, .marker, .reachedLimit: break
            }
        }
    }

    var length: Int64 { gate.gate.movieTime(of: gate.gate.end ?? 0) }

    /// The spans of source time that are in the movie.
    var spans: [Range<Int64>] {
        var spans: [Range<Int64>] = []
        var from: Int64? = gate.gate.start
        let end = gate.gate.end ?? .max
        for cut in gate.gate.cuts {
            if let from { spans.append(min(from, end)..<min(cut.start, end)) }
            from = cut.end
        }
        if let from { spans.append(min(from, end)..<end) }
        return spans
    }
}

/// What is wrong with a run, in words; `nil` when nothing is.
private func fault(in run: Run, of schedule: RandomSchedule) -> String? {
    let spans = run.spans
    let rate = Int64(schedule.audioRate)
    let total = spans.reduce(0) { $0 + Int64($1.count) }
    if total != run.length { return "the length \(run.length) is not the sum of spans \(total)" }
    for track in 0..<2 {
        let frames = run.pictures[track]
        if frames.count + run.leftOut[track] != run.appended[track] {
            return "pictures of track \(track) vanished"
        }
        for scale: Int32 in [90_000, 48_000, 44_100] {
            var ticks = TickSequence(timescale: scale)
            let given = frames.compactMap { ticks.next($0.movieTime) }
            if !zip(given, given.dropFirst()).allSatisfy(<) { return "ticks out of order" }
            if track == 0, ticks.refused > run.gate.gate.cuts.count {
                return "\(ticks.refused) ticks refused away from cuts"
            }
        }
        for frame in frames where !spans.contains(where: { $0.contains(frame.time) }) {
            return "a picture at \(frame.time) is in the movie but in no span"
        }
        for span in spans.dropFirst() {
            let first = frames.first { span.contains($0.time) }
            if let first, !first.startsSpan { return "no sync sample after a resume" }
        }
    }
    return audioFault(in: run, spans, rate) ?? cutFault(in: run, of: schedule)
}

private func audioFault(in run: Run, _ spans: [Range<Int64>], _ rate: Int64) -> String? {
    let kept = run.sounds.reduce(0) { $0 + $1.source.count }
    if kept + run.leftOut[2] != run.appended[2] { return "audio frames vanished" }
    for (before, after) in zip(run.sounds, run.sounds.dropFirst()) {
        if after.position != before.position + Int64(before.source.count) {
            return "a hole in the sound at frame \(after.position)"
        }
        if after.source.lowerBound < before.source.upperBound { return "sound twice" }
    }
    guard let anchor = run.anchor, let last = run.sounds.last else { return nil }
    let wanted = TickSequence.ticks(run.length, timescale: rate)
    if last.position + Int64(last.source.count) != wanted {
        return "the sound ends at \(last.position + Int64(last.source.count)), not \(wanted)"
    }
    let frame = 1_000_000_000 / rate + 1
    for audio in run.sounds {
        let time = anchor + audio.source.lowerBound * 1_000_000_000 / rate
        guard let index = spans.lastIndex(where: { $0.lowerBound <= time + frame }) else {
            return "sound of no span"
        }
        let before = spans[..<index].reduce(0) { $0 + Int64($1.count) }
        let error = before + time - spans[index].lowerBound - audio.position * 1_000_000_000 / rate
        if error.magnitude > 2 * frame { return "sound is \(error) ns off its picture" }
        if index > 0, audio.fade.sinceStart == nil { return "a span does not fade in" }
    }
    return nil
}

private func cutFault(in run: Run, of schedule: RandomSchedule) -> String? {
    let leads = schedule.events.compactMap { if case .lead(let time) = $0 { time } else { nil } }
    for cut in run.gate.gate.cuts {
        guard schedule.hasLead, leads.contains(cut.start) else { continue }
        guard let asked = run.asked.last(where: { $0.time <= cut.start }) else {
            return "a cut before it was asked for"
        }
        let from = max(asked.time, schedule.start)
        let missed = leads.filter { $0 >= from && $0 > asked.seen && $0 < cut.start }
        // commands can be undone by the next one, so only the latest says where its cut must be
        if run.asked.count == 1, !missed.isEmpty { return "the cut missed a frame" }
    }
    for span in run.spans {
        let wanted = leads.filter { span.contains($0) }
        let given = run.pictures[0].filter { span.contains($0.time) }.map(\.time)
        if wanted != given { return "lead frames of a span are missing" }
    }
    return nil
}

/// Runs schedules side by side and collects what is wrong with them.
private func faultsOfSchedules(seeds: Range<UInt64>) async -> [String] {
    let workers: UInt64 = 2
    return await withTaskGroup(of: [String].self) { group in
        for worker in 0..<workers {
            group.addTask {
                var faults: [String] = []
                for seed in stride(
                    from: seeds.lowerBound + worker, to: seeds.upperBound, by: Int(workers))
                {
                    let schedule = RandomSchedule(seed: seed)
                    if let fault = fault(in: Run(schedule), of: schedule) {
                        faults.append("seed \(seed): \(fault)")
                    }
                }
                return faults
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
}

@Test("5,000 random pauses, jitters, stalls and delays keep order, length, audio and sync")
func randomSchedules() async {
    let faults = await faultsOfSchedules(seeds: 0..<5000)
    #expect(faults.isEmpty, "\(faults.count) schedules failed, such as \(faults.prefix(5))")
}

@Suite("Pauses at random, for long")
struct LongPauseGateTests {
    @Test(
        "thousands of random pauses, jitters, stalls and delays keep order, length, audio and sync")
    func randomSchedules() async {
        let faults = await faultsOfSchedules(seeds: Sweep.part(20_000, of: 5000..<100_000))
        #expect(faults.isEmpty, "\(faults.count) schedules failed, such as \(faults.prefix(5))")
    }
}

@Test("rounding alone, without the tick sequence, would put two frames into one tick")
func roundingControl() {
    var collisions = 0
    for seed in 0..<2000 {
        let run = Run(RandomSchedule(seed: UInt64(seed)))
        let ticks = run.pictures[1].map { TickSequence.ticks($0.movieTime, timescale: 30) }
        collisions += zip(ticks, ticks.dropFirst()).count { $0 >= $1 }
    }
    #expect(collisions > 0)
}
