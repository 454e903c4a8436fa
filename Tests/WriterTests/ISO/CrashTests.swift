import Glibc
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("Takes that a crash cut")
struct CrashTests {
    /// A take of two seconds on a scripted disk, synced after every third fragment.
    private func record(
        _ take: CodedTake, _ io: ScriptedFileIO, barrier: Bool = true, syncEvery: Int = 3
    ) throws {
        let file = DurableFile(scripted: io, policy: .every(.seconds(1_000_000)))
        let writer = try take.begun(file, .mp4, MovieFileWriter.Options(barrier: barrier))
        var waiting = take.annotations[...]
        var fragments: UInt32 = 0
        for (track, sample) in take.samples {
            if let next = waiting.first, next.time <= sample.presentationTime {
                try writer.annotate(next)
                waiting.removeFirst()
            }
            try writer.append(sample, track: track)
            if writer.sequenceNumber > fragments {
                fragments = writer.sequenceNumber
                if Int(fragments) % syncEvery == 0 { try file.synchronize() }
            }
        }
        _ = try writer.finish()
    }

    private func annotated() throws -> CodedTake {
        var take = try CodedTake.real.get()
        take.annotations = [
            .pause(at: .milliseconds(400), duration: .seconds(3)),
            .marker("hier", at: .milliseconds(900)),
        ]
        return take
    }

    /// Every state a kill can leave: after each call, and inside each write that is longer than a
    /// sector (a shorter one in one sector is done whole or not at all, by kernel and disk).
    private func kills(_ calls: [ScriptedFileIO.Call], from initial: [UInt8] = []) -> [[UInt8]] {
        var states: [[UInt8]] = []
        var content = initial
        states.append(content)
        for call in calls {
            if case .write(let offset, let bytes) = call,
                offset / 512 != (offset + Int64(bytes.count) - 1) / 512
            {
                for part in [1, bytes.count / 2, bytes.count - 1] where part > 0 {
                    var torn = content
                    DiskReplay.apply(
                        .write(offset: offset, bytes: Array(bytes.prefix(part))), to: &torn)
                    states.append(torn)
                }
            }
            DiskReplay.apply(call, to: &content)
            states.append(content)
        }
        return states
    }

    private func load(_ content: [UInt8]) throws(MediaError) -> MovieFile {
        try MovieFile(io: ScriptedFileIO(content: content), name: "take.mp4")
    }

    /// Bytes of the header and its first fragment; before they are there, there is no movie.
    private func firstFragmentEnd(_ calls: [ScriptedFileIO.Call]) -> Int {
        let writes = calls.compactMap { call -> Int? in
            if case .write(let offset, let bytes) = call { Int(offset) + bytes.count } else { nil }
        }
        return writes[0]
    }

    @Test("killed at any I/O call, a take opens up to its last complete fragment")
    func killWhileRecording() throws {
        let take = try annotated()
        let truth = TakeTruth(take)
        let io = ScriptedFileIO()
        try record(take, io)
        let header = firstFragmentEnd(io.calls)
        var best = 0
        for state in kills(io.calls) {
            guard state.count >= header else {
                #expect(throws: MediaError.self) { try load(state) }
                continue
            }
            let movie = try load(state)
            let found = TakeTruth(movie, content: state)
            #expect(found.isPrefix(of: truth))
            // nothing that was complete is lost again
            #expect(found.counts[0] >= best)
            best = max(best, found.counts[0])
        }
        #expect(best == 60)
    }

    @Test("whatever a kill left, repair makes an ordinary movie of it, and says so when it is one")
    func repairAfterKill() throws {
        let take = try annotated()
        let truth = TakeTruth(take)
        let io = ScriptedFileIO()
        try record(take, io)
        for state in kills(io.calls) where state.count >= firstFragmentEnd(io.calls) {
            let before = TakeTruth(try load(state), content: state)
            let disk = ScriptedFileIO(content: state)
            let report = try MovieRepair.repair(disk, name: "take.mp4")
            let movie = try load(disk.content)
            #expect(movie.layout == .ordinary)
            let after = TakeTruth(movie, content: disk.content)
            #expect(after.isPrefix(of: truth))
            #expect(after.counts == before.counts)
            #expect(report.sampleCounts == after.counts)
            let again = ScriptedFileIO(content: disk.content)
            #expect(
                try MovieRepair.repair(again, name: "take.mp4").outcome == .alreadyOrdinary)
            #expect(again.calls.isEmpty)
            #expect(again.content == disk.content)
        }
    }

    @Test("a repair killed at any I/O call loses nothing and can be repeated")
    func killedRepair() throws {
        let io = ScriptedFileIO()
        try record(try annotated(), io)
        let states = kills(io.calls).filter { $0.count >= firstFragmentEnd(io.calls) }
        for state in states.enumerated().filter({ $0.offset % 9 == 0 }).map(\.element) {
            let counts = TakeTruth(try load(state), content: state).counts
            let disk = ScriptedFileIO(content: state)
            _ = try MovieRepair.repair(disk, name: "take.mp4")
            for cut in kills(disk.calls, from: state) {
                #expect(TakeTruth(try load(cut), content: cut).counts == counts)
                let second = ScriptedFileIO(content: cut)
                _ = try MovieRepair.repair(second, name: "take.mp4")
                let movie = try load(second.content)
                #expect(movie.layout == .ordinary)
                #expect(TakeTruth(movie, content: second.content).counts == counts)
            }
        }
    }

    @Test("ffmpeg decodes every frame of a growing, a killed and a repaired take")
    func oraclesOfCrashes() throws {
        let folder = try TemporaryFolder()
        let io = ScriptedFileIO()
        try record(try annotated(), io)
        let states = kills(io.calls).filter { $0.count >= firstFragmentEnd(io.calls) }
        for (number, state) in states.enumerated() where number % 6 == 3 {
            let path = folder.file("\(number).mp4")
            let movie = try load(state)
            guard !movie.tracks[0].samples.isEmpty else { continue }
            for isRepaired in [false, true] {
                let disk = ScriptedFileIO(content: state)
                if isRepaired { _ = try MovieRepair.repair(disk, name: "take.mp4") }
                let file = try SystemFileIO(creating: path, existing: .replace)
                try file.writeAll(disk.content, at: 0)
                file.close()
                let numbers = try MovieOracle(path).frameNumbers()
                let known = movie.tracks[0].samples.count
                #expect(numbers == Array(0..<numbers.count))
                // ffmpeg also plays what is there of a fragment that was cut
                #expect(isRepaired ? numbers.count == known : numbers.count >= known)
            }
            #expect(try MovieOracles(path: path).complaints() == "")
        }
    }

    // MARK: power cuts

    /// Subsets of what was not synced that may survive: all of them if few, else some.
    private func survivors(_ count: Int) -> [Set<Int>] {
        if count <= 5 {
            return (0..<(1 << count)).map { bits in
                Set((0..<count).filter { bits >> $0 & 1 == 1 })
            }
        }
        var seed: UInt64 = 7
        return (0..<40).map { _ in
            Set(
                (0..<count).filter { _ in
                    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return seed >> 40 & 1 == 1
                })
        }
    }

    /// The least samples found after any power cut, with the least that were synced.
    private func worstPowerCut(
        _ calls: [ScriptedFileIO.Call],
        check: (_ found: MovieFile?, _ synced: [Int], [UInt8]) -> Void
    ) {
        for length in 0...calls.count {
            let prefix = Array(calls[..<length])
            let synced = DiskReplay.afterPowerCut(calls: prefix) { _ in false }
            let safe = (try? load(synced))?.tracks.map(\.samples.count) ?? [0, 0]
            for set in survivors(DiskReplay.unsynced(prefix)) {
                let state = DiskReplay.afterPowerCut(calls: prefix) { set.contains($0) }
                check(try? load(state), safe, state)
            }
        }
    }

    @Test("whatever a power cut keeps of the unsynced writes, what was synced plays")
    func powerCut() throws {
        let take = try annotated()
        let truth = TakeTruth(take)
        let io = ScriptedFileIO()
        try record(take, io)
        var states = 0
        worstPowerCut(io.calls) { movie, synced, state in
            guard synced[0] > 0 else { return }
            states += 1
            guard let movie else {
                Issue.record("a synced take is unreadable")
                return
            }
            #expect(zip(movie.tracks.map(\.samples.count), synced).allSatisfy { $0 >= $1 })
            let disk = ScriptedFileIO(content: state)
            #expect((try? MovieRepair.repair(disk, name: "take.mp4")) != nil)
            guard let repaired = try? load(disk.content) else {
                Issue.record("a repaired take is unreadable")
                return
            }
            #expect(repaired.layout == .ordinary)
            // everything in it is what was recorded, holes where writes were lost
            let found = TakeTruth(repaired, content: disk.content)
            for (samples, whole) in zip(found.tracks, truth.tracks) {
                #expect(Set(samples.map(\.hash)).isSubset(of: Set(whole.map(\.hash))))
            }
            #expect(zip(found.counts, synced).allSatisfy { $0 >= $1 })
        }
        #expect(states > 30)
    }

    @Test("control: without the barrier a power cut hides a take that was synced")
    func powerCutWithoutBarrier() throws {
        let io = ScriptedFileIO()
        try record(try annotated(), io, barrier: false)
        var hidden = 0
        worstPowerCut(io.calls) { movie, synced, _ in
            guard synced[0] > 0 else { return }
            if movie == nil || (movie?.tracks[0].samples.count ?? 0) < synced[0] { hidden += 1 }
        }
        #expect(hidden > 0)
    }
}
