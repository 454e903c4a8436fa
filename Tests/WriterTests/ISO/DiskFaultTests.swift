import Glibc
import Media
import TestSupport
import Testing

@testable import Movie

@Suite("Takes on full and dying disks")
struct DiskFaultTests {
    private struct Outcome {
        var summary: ContainerSummary?
        var appendError: MediaError?
        var finishError: MediaError?
        var reported: [MediaError]
    }

    private func record(
        _ take: CodedTake, _ io: ScriptedFileIO, syncEvery: UInt32 = 2
    ) throws -> Outcome {
        let reported = BlockingLock<[MediaError]>([])
        let file = DurableFile(scripted: io) { error in reported.withLock { $0.append(error) } }
        let writer = try take.begun(file)
        var outcome = Outcome(reported: [])
        var fragments: UInt32 = 0
        do throws(MediaError) {
            for (track, sample) in take.samples {
                try writer.append(sample, track: track)
                if writer.sequenceNumber > fragments {
                    fragments = writer.sequenceNumber
                    if fragments % syncEvery == 0 { try file.synchronize() }
                }
            }
        } catch { outcome.appendError = error }
        do throws(MediaError) { outcome.summary = try writer.finish() } catch {
            outcome.finishError = error
        }
        outcome.reported = reported.withLock { $0 }
        return outcome
    }

    private func load(_ io: ScriptedFileIO) throws(MediaError) -> MovieFile {
        try MovieFile(io: ScriptedFileIO(content: io.content), name: "take.mp4")
    }

    @Test("a disk that fills up anywhere leaves an ordinary movie with all that was written")
    func fullDisk() throws {
        let take = CodedTake.synthetic(seconds: 4)
        let truth = TakeTruth(take)
        let whole = ScriptedFileIO()
        _ = try record(take, whole)
        // the room for the index is asked for first: below it there is no take at all
        let least: Int64 = 66 << 10
        var finished = 0
        for capacity in stride(from: 0, through: Int64(whole.content.count) + least, by: 4099) {
            let io = ScriptedFileIO(capacity: capacity)
            let outcome = try record(take, io)
            if outcome.appendError != nil {
                #expect(outcome.appendError?.code == .diskFull)
                #expect(outcome.reported.map(\.code) == [.diskFull])
            }
            guard let summary = outcome.summary else {
                #expect(io.content.isEmpty)
                #expect(outcome.finishError?.code == .diskFull)
                continue
            }
            finished += 1
            let movie = try load(io)
            #expect(movie.layout == .ordinary)
            let found = TakeTruth(movie, content: io.content)
            #expect(found.isPrefix(of: truth))
            #expect(found.counts == summary.tracks.map(\.sampleCount))
            #expect(Int64(io.content.count) <= capacity)
            let accepted = found.counts.reduce(0, +) + summary.lostSamples
            if outcome.appendError == nil { #expect(accepted == truth.counts.reduce(0, +)) }
        }
        #expect(finished > 10)
    }

    @Test("on a file system that cannot keep room, a full disk leaves a playable movie")
    func fullDiskWithoutReserve() throws {
        let take = CodedTake.synthetic(seconds: 3)
        let truth = TakeTruth(take)
        let whole = ScriptedFileIO { _, call in
            if case .allocate = call { EOPNOTSUPP } else { nil }
        }
        _ = try record(take, whole)
        for capacity in stride(from: Int64(6000), to: Int64(whole.content.count), by: 3511) {
            let io = ScriptedFileIO(capacity: capacity) { _, call in
                if case .allocate = call { EOPNOTSUPP } else { nil }
            }
            let outcome = try record(take, io)
            #expect(outcome.reported.first?.code == .diskFull)
            let movie = try load(io)
            let found = TakeTruth(movie, content: io.content)
            #expect(found.isPrefix(of: truth))
            #expect(movie.damage.isEmpty)
            #expect(outcome.summary != nil || movie.layout != .ordinary)
        }
    }

    @Test("bytes a sync lost once are written again, and the movie is whole")
    func errorOnce() throws {
        let take = CodedTake.synthetic(seconds: 3)
        let failed = BlockingLock(0)
        let io = ScriptedFileIO { _, call in
            guard call == .synchronize else { return nil }
            return failed.withLock { count in
                count += 1
                return count == 2 ? EIO : nil
            }
        }
        let outcome = try record(take, io)
        #expect(outcome.appendError == nil && outcome.reported.isEmpty)
        // the same bytes went to the same places a second time
        let writes = io.calls.compactMap { call -> Int64? in
            if case .write(let offset, _) = call { offset } else { nil }
        }
        #expect(Set(writes).count < writes.count - 1)
        let movie = try load(io)
        #expect(movie.layout == .ordinary)
        #expect(TakeTruth(movie, content: io.content).counts == TakeTruth(take).counts)
    }

    @Test("a bad place on the disk is left behind: the fragments move, the movie plays")
    func badPlace() throws {
        let take = CodedTake.synthetic(seconds: 3)
        let state = BlockingLock((syncs: 0, bad: Range<Int64>?.none))
        let io = ScriptedFileIO { _, call in
            state.withLock { state in
                switch call {
                case .synchronize:
                    state.syncs += 1
                    if state.syncs == 2 {
                        state.bad = 10_000..<10_001
                        return EIO
                    }
                case .write(let offset, let bytes):
                    let range = offset..<offset + Int64(bytes.count)
                    // the gap's header is short and lies before the bad place
                    if let bad = state.bad, range.overlaps(bad) { return EIO }
                default: break
                }
                return nil
            }
        }
        let outcome = try record(take, io)
        #expect(outcome.appendError == nil && outcome.reported.isEmpty)
        let movie = try load(io)
        #expect(movie.layout == .ordinary)
        let found = TakeTruth(movie, content: io.content)
        let truth = TakeTruth(take)
        #expect(found.counts == truth.counts)
        #expect(found.isPrefix(of: truth))
        // before the index came, ordinary readers skipped the gap too
        let growing = io.calls.prefix { call in
            if case .write(_, let bytes) = call { return bytes.count != 16 }
            return true
        }
        let content = DiskReplay.content(after: growing.dropLast(2))
        let unfinished = try MovieFile(io: ScriptedFileIO(content: content), name: "take.mp4")
        #expect(unfinished.damage.isEmpty)
        #expect(TakeTruth(unfinished, content: content).isPrefix(of: truth))
    }

    @Test("a disk that fails for good is named once, and what was synced stays")
    func deadDisk() throws {
        let take = CodedTake.synthetic(seconds: 3)
        let dead = BlockingLock(false)
        let io = ScriptedFileIO { number, call in
            dead.withLock { isDead in
                if number > 12, call == .synchronize { isDead = true }
                if isDead { return EIO }
                return nil
            }
        }
        let outcome = try record(take, io)
        #expect(outcome.reported.count == 1)
        #expect(outcome.reported.first?.code == .ioError)
        #expect(outcome.reported.first?.message.contains("take.mp4") == true)
        #expect(outcome.appendError?.code == .ioError)
        #expect(outcome.summary == nil)
        #expect(io.isClosed)
        let movie = try load(io)
        #expect(movie.tracks[0].samples.count >= 30)
    }

    @Test("control: without held bytes a sync's error cannot be mended and is reported")
    func nothingHeld() throws {
        let failed = BlockingLock(0)
        let io = ScriptedFileIO { _, call in
            guard call == .synchronize else { return nil }
            return failed.withLock { count in
                count += 1
                return count == 1 ? EIO : nil
            }
        }
        let reported = BlockingLock<[MediaError]>([])
        let file = DurableFile(scripted: io, policy: .never) { error in
            reported.withLock { $0.append(error) }
        }
        try file.append([1, 2, 3])
        #expect(throws: MediaError.self) { try file.synchronize() }
        #expect(reported.withLock { $0.map(\.code) } == [.ioError])
        file.close()
    }
}
