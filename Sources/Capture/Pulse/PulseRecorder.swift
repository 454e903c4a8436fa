internal import CPulse
internal import Media

/// A record stream on a connection: reads blocks, holes and latencies into a feed.
///
/// Owned by one thread at a time: the one that opened it, the driver's thread while `run` lasts,
/// then the one that joined that thread.
final class PulseRecorder: @unchecked Sendable {  // because one thread owns it at a time
    /// A source that has delivered nothing for so long is stalled.
    private static let stallLimit = MediaTime.nanoseconds(3_000_000_000)
    /// How long frames wait for the first latency before they are stamped by their arrival (ns).
    private static let timingTimeout: Int64 = 500_000_000

    /// What ended a run; with libpulse's reason.
    enum End: Equatable {
        case asked
        case serverGone(Int32)
        case sourceGone(Int32)
        case stalled
    }

    // immutable
    let source: PulseSource
    let format: AudioFormat
    private let clock: any MediaClock

    // owned by the owning thread
    private var connection: PulseConnection?
    private var stream: OpaquePointer?
    private var stamps: SteadyStamps
    private var firstDataAt: Int64?
    private var isSuspended = false

    /// Connects and finds the source. Its stream is opened by `start`: one that is opened corked
    /// delivers nothing for up to 2 s after the uncorking, because the sink behind a monitor has
    /// rendered so far ahead, and its latencies are wrong by as much (PulseAudio 16.1).
    init(
        sourceName: String, server: String?, settings: AudioInputSettings,
        clock: any MediaClock, wake: WakeSignal
    ) throws(MediaError) {
        let subject = "pulse:\(sourceName)"
        let connection = try PulseConnection(
            subject: subject, server: server, clock: clock, wake: wake)
        let list = try PulseSourceList.load(from: connection)
        guard let source = list.source(named: sourceName) else {
            throw PulseFailure.missing(subject, present: list.ordered)
        }
        self.source = source
        self.clock = clock
        self.connection = connection
        format = source.choose(settings)
        stamps = SteadyStamps(rate: format.sampleRate)
    }

    deinit { close() }

    private func open(subject: String, on connection: PulseConnection) throws(MediaError) {
        var specification = format.pulseSpecification
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(specification.channels), PA_CHANNEL_MAP_AIFF)
        guard let stream = pa_stream_new(connection.context, "vcap", &specification, &map) else {
            throw PulseFailure.refused("pa_stream_new", subject, code: connection.errorCode)
        }
        self.stream = stream
        let fragment = UInt32(format.bytesPerFrame * max(1, format.sampleRate / 50))
        var buffering = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: fragment)
        // a source that goes must end the stream: moved to another one, a take would continue with
        // the wrong microphone
        let flags = [
            PA_STREAM_AUTO_TIMING_UPDATE, PA_STREAM_ADJUST_LATENCY, PA_STREAM_DONT_MOVE,
        ].reduce(0) { $0 | $1.rawValue }
        let result = pa_stream_connect_record(
            stream, source.name, &buffering, pa_stream_flags_t(rawValue: flags))
        let deadline = clock.now() + .nanoseconds(3_000_000_000)
        while result < 0 || pa_stream_get_state(stream) != PA_STREAM_READY {
            guard result >= 0, isStreamAlive else {
                throw PulseFailure.refused(
                    "pa_stream_connect_record", subject, code: connection.errorCode)
            }
            try connection.iterate(until: deadline)
        }
    }

    private var isStreamAlive: Bool {
        guard let stream else { return false }
        let state = pa_stream_get_state(stream)
        return state != PA_STREAM_FAILED && state != PA_STREAM_TERMINATED
    }

    /// Lets the source run.
    func start() throws(MediaError) {
        let subject = "pulse:\(source.name)"
        guard let connection, connection.isAlive else {
            throw PulseFailure.noServer(
                subject, code: connection?.errorCode ?? Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
        }
        try open(subject: subject, on: connection)
    }

    /// Gives everything back to the server.
    func close() {
        if let stream {
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        stream = nil
        connection = nil
    }
}

// MARK: - Driver's thread

extension PulseRecorder {
    /// Reads until the signal is raised or the server or source goes, then closes.
    /// - Parameter stop: the one the connection was made with, which ends its waits.
    func read(into feed: AudioFeed, until stop: WakeSignal) -> End {
        defer { close() }
        guard let connection, let stream else { return .sourceGone(0) }
        var lastData = clock.now().nanoseconds()
        let stall = Self.stallLimit.nanoseconds()
        while true {
            let isAudio = connection.iterate(atMost: Self.stallLimit)
            if stop.isRaised { return .asked }
            guard isAudio, connection.isAlive else { return .serverGone(connection.errorCode) }
            guard isStreamAlive else { return .sourceGone(connection.errorCode) }
            noteSuspend(stream)
            let now = clock.now().nanoseconds()
            if drain(stream, into: feed) { lastData = now }
            if now - lastData >= stall { return .stalled }
        }
    }

    private func noteSuspend(_ stream: OpaquePointer) {
        let isNow = pa_stream_is_suspended(stream) > 0
        if isSuspended, !isNow { stamps.interrupt() }
        isSuspended = isNow
    }

    /// Takes every waiting fragment; `false` when there was none.
    private func drain(_ stream: OpaquePointer, into feed: AudioFeed) -> Bool {
        var took = false
        while true {
            let waiting = pa_stream_readable_size(stream)  // -1: the stream is broken
            guard waiting > 0, let estimate = estimateStamp(stream, waiting: waiting) else { break }
            var data: UnsafeRawPointer?
            var count = 0
            guard pa_stream_peek(stream, &data, &count) >= 0, count > 0 else { break }
            take(data, count, estimate, feed.ring)
            pa_stream_drop(stream)
            took = true
        }
        if took { feed.wake() }
        return took
    }

    private func take(
        _ data: UnsafeRawPointer?, _ count: Int, _ estimate: Int64, _ ring: AudioRing
    ) {
        let frames = count / ring.bytesPerFrame
        guard let data else {
            // a hole: the server says that these frames were lost on the way
            ring.lose(overrun: frames)
            stamps.skip(frames: frames)
            return
        }
        let place = stamps.place(
            frames: frames, estimate: estimate, now: clock.now().nanoseconds())
        ring.lose(overrun: place.lost)
        ring.write(
            UnsafeRawBufferPointer(start: data, count: count), stamp: place.stamp,
            rate: format.sampleRate)
    }

    /// The snapshot that came with the stream is of a source that does not run yet: its frames seem
    /// older by the time until it did (40 ms seen, PipeWire 0.3.65). One is asked for with the first
    /// data, and waited for.
    private func askForTiming(_ stream: OpaquePointer, _ now: Int64) -> Int64 {
        if let update = pa_stream_update_timing_info(stream, nil, nil) {
            pa_operation_unref(update)
        }
        firstDataAt = now
        return now
    }

    /// When the next frame was captured: now less its age; never after its own arrival. `nil` while
    /// no timing is known yet.
    ///
    /// From the server's snapshot rather than `pa_stream_get_latency`: that one clips a monitor's
    /// time at zero while its sink has rendered further ahead than was recorded, and is then too
    /// long by as much (libpulse 16.1, 0.6 s seen after an idle null sink).
    private func estimateStamp(_ stream: OpaquePointer, waiting: Int) -> Int64? {
        let now = clock.now().nanoseconds()
        let frame = max(1, format.bytesPerFrame)
        let arrival = now - AudioTiming.nanoseconds(of: waiting / frame, rate: format.sampleRate)
        let since = firstDataAt ?? askForTiming(stream, now)
        guard let timing = pa_stream_get_timing_info(stream)?.pointee,
            timing.read_index_corrupt == 0, timing.write_index_corrupt == 0,
            case var snapshot = timing.timestamp,
            case let elapsed = Int64(clamping: pa_timeval_age(&snapshot)) * 1000,
            elapsed <= now - since
        else { return now - since >= Self.timingTimeout ? arrival : nil }
        let queued = Int(timing.write_index - timing.read_index) / frame
        let age =
            AudioTiming.nanoseconds(of: queued, rate: format.sampleRate) + elapsed
            + (Int64(clamping: timing.source_usec) - Int64(clamping: timing.sink_usec)) * 1000
        return min(now - age, arrival)
    }
}
