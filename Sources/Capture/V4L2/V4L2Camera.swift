internal import CV4L2
internal import Glibc
internal import Media

/// An open V4L2 camera.
final class V4L2Camera: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    /// `nil` once stopped: the device is closed when the last frame lent is let go.
    private let setup: Lock<V4L2Setup?>
    private let clock: any MediaClock
    private let thread = StreamThread()

    init(_ setup: V4L2Setup, clock: any MediaClock) {
        self.setup = Lock(setup)
        self.clock = clock
        format = .video(setup.format)
        explanation = setup.explanation
    }

    var controls: (any DeviceControlAccess)? {
        setup.withLock { $0 }.map { setup in
            WatchedControlAccess(
                V4L2ControlAccess(setup.device, streaming: setup.buffers), setup.watch)
        }
    }

    func watchControls(_ handler: @escaping @Sendable (ControlChange) -> Void) {
        setup.withLock { $0 }?.watch.setHandler(handler)
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        guard let setup = setup.withLock({ $0 }) else {
            preconditionFailure("a stream is not started after it was stopped")
        }
        do throws(V4L2Node.Failure) { try setup.buffers.start() } catch {
            throw .v4l2(error, on: setup.device, doing: "start")
        }
        thread.start(name: "vcap-v4l2") { [self] in
            var reader = V4L2Reader(setup: setup, clock: clock, handler: handler)
            if let interruption = run(setup, &reader) { handler(.interrupted(interruption)) }
        }
    }

    func stop() {
        thread.stop()
        let open = setup.withLock { setup in
            defer { setup = nil }
            return setup
        }
        open?.buffers.stop()
    }

    /// Reads until asked to stop (`nil`) or until the device will deliver nothing more.
    private func run(_ setup: V4L2Setup, _ reader: inout V4L2Reader) -> SourceInterruption? {
        // of frames alone: what is announced besides does not say that they come
        var deadline = clock.now() + reader.stallLimit
        var entries = [
            pollfd(fd: setup.buffers.descriptor, events: Int16(POLLIN | POLLPRI), revents: 0),
            pollfd(fd: thread.stopSignal.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let left = max(.zero, deadline - clock.now()).ticks(per: 1000, rounding: .up)
            let ready = poll(&entries, 2, Int32(clamping: left))
            if entries[1].revents != 0 { return nil }
            if ready == 0 {
                return reader.interruption(
                    setup.buffers.hasSignal ? .deviceStalled : .noSignal)
            }
            if ready < 0 {
                if errno == EINTR { continue }
                return reader.interruption(.deviceFailed)
            }
            let events = Int32(entries[0].revents)
            if events & POLLPRI != 0, let reason = setup.takeEvents() {
                return reader.interruption(reason)
            }
            if events & (POLLIN | POLLERR | POLLHUP) != 0 {
                let isError = events & (POLLERR | POLLHUP) != 0
                if let interruption = reader.readOne(pollFailed: isError) { return interruption }
                deadline = clock.now() + reader.stallLimit
            }
        }
    }
}
