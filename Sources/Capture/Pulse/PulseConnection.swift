internal import CPulse
internal import Media

/// A connection to a sound server with its main loop.
///
/// Thread-bound: libpulse's objects of one loop belong to one thread at a time, the one that calls
/// `iterate`. Another thread may end a wait only through the wake signal.
final class PulseConnection {
    // immutable
    let context: OpaquePointer
    private let loop: OpaquePointer
    private let clock: any MediaClock
    private let wake: WakeSignal
    private let subject: String
    private var wakeEvent: OpaquePointer?

    /// Connects, waiting at most `timeout`. Never starts a server.
    /// - Parameters:
    ///   - subject: what the connection is for, in error sentences.
    ///   - server: libpulse's address of a server; `nil` is the user's.
    init(
        subject: String, server: String?, timeout: MediaTime = .nanoseconds(3_000_000_000),
        clock: any MediaClock, wake: WakeSignal = WakeSignal()
    ) throws(MediaError) {
        guard let loop = pa_mainloop_new() else {
            throw PulseFailure.noServer(subject, code: Int32(PA_ERR_INTERNAL.rawValue))
        }
        guard let api = pa_mainloop_get_api(loop), let context = pa_context_new(api, "vcap") else {
            pa_mainloop_free(loop)
            throw PulseFailure.noServer(subject, code: Int32(PA_ERR_INTERNAL.rawValue))
        }
        self.loop = loop
        self.context = context
        self.clock = clock
        self.wake = wake
        self.subject = subject
        wakeEvent = api.pointee.io_new(api, wake.descriptor, PA_IO_EVENT_INPUT, leavePoll, nil)
        try connect(to: server, until: clock.now() + timeout)
    }

    deinit {
        pa_context_disconnect(context)
        pa_context_unref(context)
        if let wakeEvent, let api = pa_mainloop_get_api(loop) {
            api.pointee.io_free(wakeEvent)
        }
        pa_mainloop_free(loop)
    }

    private func connect(
        to server: String?, until deadline: MediaTime
    ) throws(MediaError) {
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
            throw PulseFailure.noServer(subject, code: errorCode)
        }
        while pa_context_get_state(context) != PA_CONTEXT_READY {
            guard isAlive else { throw PulseFailure.noServer(subject, code: errorCode) }
            try iterate(until: deadline)
        }
    }

    /// Whether the server still answers or may yet.
    var isAlive: Bool {
        let state = pa_context_get_state(context)
        return state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED
    }

    /// The reason libpulse gives for its last failure.
    var errorCode: Int32 { pa_context_errno(context) }

    /// Waits for the server, the wake signal or at most `limit`, and handles what came.
    /// Answers `false` when the loop itself is broken.
    func iterate(atMost limit: MediaTime) -> Bool {
        let microseconds = limit.ticks(per: 1_000_000, rounding: .up)
        return pa_mainloop_prepare(loop, Int32(clamping: max(0, microseconds))) >= 0
            && pa_mainloop_poll(loop) >= 0 && pa_mainloop_dispatch(loop) >= 0
    }

    /// One turn of the loop before a deadline; past it the server counts as absent.
    func iterate(until deadline: MediaTime) throws(MediaError) {
        let now = clock.now()
        guard now < deadline, !wake.isRaised, iterate(atMost: deadline - now) else {
            throw PulseFailure.noServer(subject, code: Int32(PA_ERR_TIMEOUT.rawValue))
        }
    }

    /// Runs the loop until an operation is done.
    func finish(_ operation: OpaquePointer?, _ function: String) throws(MediaError) {
        guard let operation else {
            throw PulseFailure.refused(function, subject, code: errorCode)
        }
        defer { pa_operation_unref(operation) }
        let deadline = clock.now() + .nanoseconds(3_000_000_000)
        while pa_operation_get_state(operation) == PA_OPERATION_RUNNING {
            guard isAlive else { throw PulseFailure.noServer(subject, code: errorCode) }
            try iterate(until: deadline)
        }
    }
}

/// The wake signal: that `poll` returned is all it is for.
nonisolated private func leavePoll(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ descriptor: Int32,
    _ flags: pa_io_event_flags_t, _ context: UnsafeMutableRawPointer?
) {}
