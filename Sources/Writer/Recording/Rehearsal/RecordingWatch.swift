internal import Glibc
internal import Media

/// What a recorder is seen to take while it records.
struct RecordingWatch: Sendable {
    private(set) var longestQueue = MediaTime.zero
    /// When it was first and last looked at, the processor's time that the program had taken (ns), and what the machine
    /// had done by then.
    private var first: (time: MediaTime, used: Int64, machine: ProcessorTicks?)?
    private var last: (time: MediaTime, used: Int64, machine: ProcessorTicks?)?

    static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Of the processors' time between the first and the last look; 0 after one look.
    var processorShare: Double {
        guard let first, let last, last.time > first.time else { return 0 }
        let wall = (last.time - first.time).approximateSeconds
        return Double(last.used - first.used) / 1e9 / wall / Double(Self.processors)
    }

    /// What nobody took of the machine's processors meanwhile; `nil` where the system does not say.
    var idleShare: Double? {
        guard let first = first?.machine, let last = last?.machine, last.all > first.all else {
            return nil
        }
        return Double(max(0, last.idle - first.idle)) / Double(last.all - first.all)
    }

    /// Looks until its task is cancelled, from the first frame on.
    static func follow(_ recorder: Recorder) async -> RecordingWatch {
        var watch = RecordingWatch()
        while !Task.isCancelled {
            watch.look(
                recorder.status(), at: HostClock().now(), used: processorTime(),
                machine: ProcessorTicks.now())
            try? await Task.sleep(for: .milliseconds(20))
        }
        return watch
    }

    /// - Parameters:
    ///   - used: processor's time of the program so far (ns).
    ///   - machine: what all programs have taken so far.
    mutating func look(
        _ status: RecorderStatus, at time: MediaTime, used: Int64, machine: ProcessorTicks? = nil
    ) {
        guard status.state == .recording, status.elapsed > .zero else { return }
        if first == nil { first = (time, used, machine) }
        last = (time, used, machine)
        for track in status.tracks where track.mediaType == .video {
            let frame = (track.nominalRate ?? FrameRate(30)).frameDuration
            longestQueue = max(longestQueue, frame * Int64(track.waitingSamples))
        }
    }

    private static func processorTime() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
