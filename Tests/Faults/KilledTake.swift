import Media
import TestSupport
import Testing

extension Tag {
    /// Of the faults, which are all in real time, what takes a quarter of one processor at most.
    @Tag static var mostlyWaits: Tag
}

/// One take that was ended by force, and what is left of it.
struct KilledTake {
    let folder: TemporaryFolder
    let movie: String
    /// When the kill was sent (host clock); `nil` when a system call was the trigger.
    let killTime: MediaTime?

    /// A small frame, so that several takes run at once in real time on a small machine.
    static func arguments(output: String, seconds: String = "60") -> [String] {
        [
            "record", "-c", "test:", "-a", "test:", "-s", "320x180", "-r", "30", "-t", seconds,
            "--keys", "none", "-q", "-o", output,
        ]
    }

    /// Everything a file that was left by a crash must be.
    /// - Parameter lostAtMost: seconds of audio and video that may be missing before the kill.
    func check(lostAtMost: Double?, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = try playable(movie, sourceLocation)
        if let lostAtMost, let killTime {
            let start = try ReportOnDisk(besides: movie).sessionStart
            let end = start.approximateSeconds + Double(before.count) / 30
            let lost = killTime.approximateSeconds - end
            #expect(lost <= lostAtMost, "lost \(lost) s", sourceLocation: sourceLocation)
        }
        let repair = try Program.vcap.run(["repair", movie])
        #expect(repair.status == 0, "\(repair.errorText)", sourceLocation: sourceLocation)
        let after = try playable(movie, sourceLocation)
        #expect(after == before, "repair keeps every frame", sourceLocation: sourceLocation)
        #expect(try TopLevelBoxes(movie).isOrdinary, sourceLocation: sourceLocation)
        // a kill before the first report leaves none, one after the last a finished one
        guard let report = try? ReportOnDisk(besides: movie), report.state != "finished" else {
            return
        }
        #expect(report.state == "recovered", sourceLocation: sourceLocation)
        #expect(report.verdict != nil, sourceLocation: sourceLocation)
        #expect(report.frames == after.count, sourceLocation: sourceLocation)
    }

    /// The frame numbers, which must be without a hole.
    private func playable(_ path: String, _ location: SourceLocation) throws -> [Int] {
        let numbers = try MovieOracle(path).frameNumbers()
        let holes = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
        #expect(holes.isEmpty, "frame numbers jump: \(holes)", sourceLocation: location)
        return numbers
    }
}
