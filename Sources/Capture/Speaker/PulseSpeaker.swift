internal import CPulse
internal import Media

/// A playback stream of a sound server. Bound to the thread that made it.
final class PulseSpeaker: SpeakerDriver {
    private static let timeout = MediaTime.seconds(3)

    // immutable
    let name: String
    let sampleRate = SpeakerBuffer.sampleRate
    private let clock = HostClock()
    private let connection: PulseConnection
    private let stream: OpaquePointer
    private let bytesPerFrame = 4 * SpeakerBuffer.channels

    // owned by the thread
    private var isStarted = false
    /// When it was started last (host clock, ns): what the server said before is of a stream that stood.
    private var startedAt: Int64 = 0
    private var lastUnderflow: Int64 = -1
    private var counted = 0

    /// - Parameters:
    ///   - sink: the server's name of one, or `default`.
    ///   - server: libpulse's address; nil: the user's.
    init(_ sink: String, server: String?) throws(MediaError) {
        let name = "pulse:\(sink)"
        self.name = name
        do throws(MediaError) {
            connection = try PulseConnection(subject: name, server: server, clock: clock)
        } catch { throw SpeakerFailure.noServer(name) }
        let sinks: [PulseSink]
        do throws(MediaError) { sinks = try PulseSink.list(from: connection) } catch {
            throw SpeakerFailure.noServer(name)
        }
        guard !sinks.isEmpty, sink == "default" || sinks.contains(where: { $0.name == sink }) else {
            throw SpeakerFailure.missing(name, present: sinks)
        }
        var specification = pa_sample_spec(
            format: PA_SAMPLE_FLOAT32LE, rate: UInt32(sampleRate),
            channels: UInt8(SpeakerBuffer.channels))
        guard let stream = pa_stream_new(connection.context, "vcap play", &specification, nil)
        else { throw SpeakerFailure.refused("pa_stream_new", name, code: connection.errorCode) }
        self.stream = stream
        try connect(sink == "default" ? nil : sink)
    }

    deinit {
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }

    private func connect(_ sink: String?) throws(MediaError) {
        let target = Int(SpeakerBuffer.microseconds) * sampleRate / 1_000_000 * bytesPerFrame
        var buffering = pa_buffer_attr(
            maxlength: .max, tlength: UInt32(target), prebuf: UInt32(target / 4),
            minreq: UInt32(target / 8), fragsize: .max)
        let flags = [
            PA_STREAM_AUTO_TIMING_UPDATE, PA_STREAM_ADJUST_LATENCY, PA_STREAM_START_CORKED,
        ].reduce(0) { $0 | $1.rawValue }
        let result = pa_stream_connect_playback(
            stream, sink, &buffering, pa_stream_flags_t(rawValue: flags), nil, nil)
        let deadline = clock.now() + Self.timeout
        while result < 0 || pa_stream_get_state(stream) != PA_STREAM_READY {
            guard result >= 0, isAlive, clock.now() < deadline,
                connection.iterate(atMost: deadline - clock.now())
            else {
                throw SpeakerFailure.refused(
                    "pa_stream_connect_playback", name, code: connection.errorCode)
            }
        }
    }

    private var isAlive: Bool {
        let state = pa_stream_get_state(stream)
        return connection.isAlive && state != PA_STREAM_FAILED && state != PA_STREAM_TERMINATED
    }

    private func requireAlive() throws(MediaError) {
        guard isAlive else {
            throw SpeakerFailure.gone(name, PulseFailure.text(connection.errorCode))
        }
    }

    func start() throws(MediaError) {
        try requireAlive()
        try finish(pa_stream_cork(stream, 0, nil, nil), "pa_stream_cork")
        startedAt = clock.now().nanoseconds()
        // what a pause discarded is no gap
        lastUnderflow = pa_stream_get_underflow_index(stream)
        isStarted = true
        if let update = pa_stream_update_timing_info(stream, nil, nil) {
            pa_operation_unref(update)
        }
    }

    func pause() {
        guard isStarted else { return }
        isStarted = false
        // what was lost with the server is silent already
        try? finish(pa_stream_cork(stream, 1, nil, nil), "pa_stream_cork")
        try? finish(pa_stream_flush(stream, nil, nil), "pa_stream_flush")
    }

    private func finish(_ operation: OpaquePointer?, _ function: String) throws(MediaError) {
        do throws(MediaError) { try connection.finish(operation, function) } catch {
            throw SpeakerFailure.gone(name, PulseFailure.text(connection.errorCode))
        }
    }

    func room(atMost limit: MediaTime) throws(MediaError) -> Int {
        if let frames = try writableFrames(), frames > 0, connection.iterate(atMost: .zero) {
            return frames
        }
        guard connection.iterate(atMost: limit) else {
            throw SpeakerFailure.gone(name, PulseFailure.text(connection.errorCode))
        }
        return try writableFrames() ?? 0
    }

    private func writableFrames() throws(MediaError) -> Int? {
        try requireAlive()
        let bytes = pa_stream_writable_size(stream)
        return bytes == Int.max || bytes == -1 ? nil : bytes / bytesPerFrame
    }

    func write(_ samples: [Float]) throws(MediaError) {
        let result = samples.withUnsafeBytes { bytes in
            pa_stream_write(stream, bytes.baseAddress, bytes.count, nil, 0, PA_SEEK_RELATIVE)
        }
        guard result >= 0 else {
            throw SpeakerFailure.gone(name, PulseFailure.text(connection.errorCode))
        }
    }

    /// What waits in the server and in the sink, by the server's last snapshot, which libpulse keeps up with what was
    /// written since; less its age.
    func delay(at now: Int64) -> Int64? {
        guard isStarted, let timing = pa_stream_get_timing_info(stream)?.pointee,
            timing.playing != 0, timing.read_index_corrupt == 0, timing.write_index_corrupt == 0,
            case var snapshot = timing.timestamp,
            case let age = Int64(clamping: pa_timeval_age(&snapshot)) * 1000,
            clock.now().nanoseconds() - age > startedAt
        else { return nil }
        let waiting = (timing.write_index - timing.read_index) / Int64(bytesPerFrame)
        guard waiting >= 0 else { return nil }
        let waits = waiting * 1_000_000_000 / Int64(sampleRate) + Int64(timing.sink_usec) * 1000
        let passed = clock.now().nanoseconds() - now
        return waits - age + passed
    }

    var underruns: Int {
        // the server counts them by the frame at which the last one began
        let index = pa_stream_get_underflow_index(stream)
        if index != lastUnderflow, index >= 0, isStarted { counted += 1 }
        lastUnderflow = index
        return counted
    }
}
