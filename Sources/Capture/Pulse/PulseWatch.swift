internal import CPulse
internal import Media

/// Follows the sources of a sound server, and the server itself, on a thread of its own.
final class PulseWatch: DeviceWatch {
    private let thread = StreamThread()

    /// Takes what the server has now as known. A server that does not answer, or dies, is looked
    /// for until it is there: its sources then appear.
    init(
        server: String?, clock: any MediaClock, handler: @escaping @Sendable (DeviceChange) -> Void
    ) {
        let follower = Follower(
            server: server, clock: clock, stop: thread.stopSignal, handler: handler)
        follower.begin()
        thread.start(name: "vcap-pulse-watch") { follower.run() }
    }

    deinit { thread.stop() }

    /// Owned by the thread that made it, then by the watch's.
    private final class Follower: @unchecked Sendable {  // because one thread owns it at a time
        /// How often a server that does not answer is looked for, at first and at most.
        private static let intervals = (
            first: MediaTime.milliseconds(500), last: MediaTime.seconds(4)
        )

        // immutable
        private let server: String?
        private let clock: any MediaClock
        private let stop: WakeSignal
        private let handler: @Sendable (DeviceChange) -> Void

        // owned by the owning thread
        private var census = DeviceCensus()
        private var connection: PulseConnection?
        private let news = News()

        init(
            server: String?, clock: any MediaClock, stop: WakeSignal,
            handler: @escaping @Sendable (DeviceChange) -> Void
        ) {
            self.server = server
            self.clock = clock
            self.stop = stop
            self.handler = handler
        }

        /// The first look, which reports nothing.
        func begin() { _ = try? connect() }

        func run() {
            while !stop.isRaised {
                if connection == nil { waitForServer() }
                follow()
                if stop.isRaised { return }
                connection = nil
                report(census.update(to: [:]) { _ in nil })
            }
        }

        private func waitForServer() {
            var interval = Self.intervals.first
            while !stop.isRaised {
                if let changes = try? connect() { return report(changes) }
                _ = clock.wait(until: clock.now() + interval, orSignal: stop)
                interval = min(interval + interval, Self.intervals.last)
            }
        }

        /// Connects, asks to be informed of changes, then looks what is there.
        private func connect() throws(MediaError) -> [DeviceChange] {
            let connection = try PulseConnection(
                subject: "pulse:", server: server, clock: clock, wake: stop)
            pa_context_set_subscribe_callback(
                connection.context, noteChange, Unmanaged.passUnretained(news).toOpaque())
            try connection.finish(
                pa_context_subscribe(connection.context, PA_SUBSCRIPTION_MASK_SOURCE, nil, nil),
                "pa_context_subscribe")
            let changes = try look(connection)
            self.connection = connection
            return changes
        }

        private func look(_ connection: PulseConnection) throws(MediaError) -> [DeviceChange] {
            news.isPending = false
            let list = try PulseSourceList.load(from: connection)
            let sources = Dictionary(list.sources.map { ("\($0.index)", $0) }) { first, _ in first }
            return census.update(to: sources.mapValues { "pulse:\($0.name)" }) { place in
                sources[place].map { $0.captureDevice(isDefault: $0.name == list.defaultName) }
            }
        }

        /// Until the server goes or the watch ends.
        private func follow() {
            guard let connection else { return }
            while connection.iterate(atMost: .seconds(600)), connection.isAlive, !stop.isRaised {
                guard news.isPending else { continue }
                guard let changes = try? look(connection) else { return }
                report(changes)
            }
        }

        private func report(_ changes: [DeviceChange]) {
            for change in changes { handler(change) }
        }
    }

    /// That a source has come or gone: set by libpulse's callback, on the thread that iterates.
    fileprivate final class News {
        var isPending = false
    }
}

nonisolated private func noteChange(
    _ connection: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32,
    _ context: UnsafeMutableRawPointer?
) {
    // a change of volume is no news
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    guard let context, kind != PA_SUBSCRIPTION_EVENT_CHANGE.rawValue else { return }
    Unmanaged<PulseWatch.News>.fromOpaque(context).takeUnretainedValue().isPending = true
}
