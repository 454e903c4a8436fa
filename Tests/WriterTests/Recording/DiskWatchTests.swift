import Testing

@testable import Recording

private let second: Int64 = 1_000_000_000

/// Looks once a second at a disk that a recording of `rate` bytes a second fills.
private func findings(
    free: Int64, reserve: Int64 = 0, rate: Int64 = 1_000_000, seconds: Int64,
    paused: ClosedRange<Int64>? = nil
) -> [(second: Int64, finding: DiskWatch.Finding)] {
    var watch = DiskWatch(reserve: reserve, warnings: [.tenMinutes, .oneMinute])
    var found: [(second: Int64, finding: DiskWatch.Finding)] = []
    var movie: Int64 = 0
    for now in 0..<seconds {
        if paused?.contains(now) != true { movie += 1 }
        let written = movie * rate
        for finding in watch.look(
            free: free - written, written: written, movieTime: movie * second)
        {
            found.append((now, finding))
        }
    }
    return found
}

struct DiskWatchTests {
    @Test("a disk is warned of at ten minutes, at one, and the recording ends before it is full")
    func warnsThenEnds() {
        let found = findings(free: 700_000_000, seconds: 699)
        #expect(found.prefix(2).map(\.finding) == [.low(.tenMinutes), .low(.oneMinute)])
        #expect(found[0].second == 100)
        #expect(found[1].second == 640)
        #expect(found[2].finding == .full)
        #expect(found[2].second == 698)
    }

    @Test("the reserve is never touched")
    func keepsReserve() throws {
        let found = findings(free: 164_000_000, reserve: 100_000_000, seconds: 70)
        let full = try #require(found.first { $0.finding == .full })
        #expect(full.second == 62)
    }

    @Test("a pause is neither relief nor a new warning")
    func pauseIsNoRelief() {
        let found = findings(free: 500_000_000, seconds: 200, paused: 20...180)
        #expect(found.map(\.finding) == [.low(.tenMinutes)])
    }

    @Test("a disk that starts nearly full is reported once, by the nearest warning")
    func startsNearlyFull() {
        let found = findings(free: 50_000_000, seconds: 20)
        #expect(found.map(\.finding) == [.low(.oneMinute)])
    }

    @Test("a warning comes again after room was made and used up")
    func warnsAgain() {
        var watch = DiskWatch(reserve: 0, warnings: [.oneMinute])
        var found: [DiskWatch.Finding] = []
        for (index, free) in [500, 50, 50, 500, 50].enumerated() {
            for step in 0..<5 {
                let time = Int64(index * 5 + step)
                found += watch.look(
                    free: Int64(free) * 1_000_000, written: time * 1_000_000,
                    movieTime: time * second)
            }
        }
        #expect(found == [.low(.oneMinute), .low(.oneMinute)])
        #expect(watch.secondsLeft == 50)
    }

    @Test("an unmeasured rate says nothing, but a disk below the reserve ends at once")
    func unmeasured() {
        var watch = DiskWatch(reserve: 1_000, warnings: [.oneMinute])
        #expect(watch.look(free: 2_000, written: 0, movieTime: 0) == [])
        #expect(watch.secondsLeft == nil)
        #expect(watch.look(free: 900, written: 0, movieTime: 0) == [.full])
    }

    @Test("the free space of a real disk can be read, and that of a missing one cannot")
    func realDisk() {
        let space = FileSystemSpace()
        #expect((space.freeBytes(forFileAt: "/tmp/movie.mp4") ?? 0) > 0)
        #expect(space.freeBytes(forFileAt: "/no/such/folder/movie.mp4") == nil)
    }
}
