internal import CUdev
internal import Glibc
internal import Media

/// Nodes coming and going, as udev reports them; the kernel's own events where no udev runs.
final class UdevMonitor: Sendable {
    enum News: Sendable, Equatable {
        /// Reported at once, with the number that the kernel gave to the event.
        case removed(node: String, number: UInt64)
        /// Something was added or changed, and nothing more for the settling time.
        case changed
    }

    private let monitor: Monitor
    private let thread = StreamThread()

    /// What happens from now on is kept for `start`. `nil` when the system announces nothing.
    init?(subsystem: String) {
        guard let monitor = Monitor(subsystem: subsystem) else { return nil }
        self.monitor = monitor
    }

    deinit { thread.stop() }

    /// Calls the handler on a thread of its own. Once.
    func start(settling: MediaTime, handler: @escaping @Sendable (News) -> Void) {
        thread.start(name: "vcap-udev") { [monitor, stop = thread.stopSignal] in
            monitor.run(until: stop, settling: settling, handler)
        }
    }

    /// libudev's objects, used by the one thread.
    private final class Monitor: @unchecked Sendable {  // because one thread uses it after init
        private let udev: OpaquePointer
        private let monitor: OpaquePointer

        init?(subsystem: String) {
            // udev announces a node once its links and permissions are there; without it the
            // kernel's word has to do
            let source = access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel"
            guard let udev = udev_new() else { return nil }
            guard let monitor = udev_monitor_new_from_netlink(udev, source) else {
                udev_unref(udev)
                return nil
            }
            self.udev = udev
            self.monitor = monitor
            udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
            guard udev_monitor_enable_receiving(monitor) >= 0 else { return nil }
        }

        deinit {
            udev_monitor_unref(monitor)
            udev_unref(udev)
        }

        func run(until stop: WakeSignal, settling: MediaTime, _ handler: (News) -> Void) {
            let settlingLimit = Int32(clamping: settling.ticks(per: 1000, rounding: .up))
            var entries = [
                pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var isPending = false
            while true {
                let ready = poll(&entries, 2, isPending ? settlingLimit : -1)
                if ready < 0, errno != EINTR { return }
                if entries[1].revents != 0 { return }
                if ready > 0 { isPending = receive(handler) || isPending }
                if isPending, ready == 0 || settlingLimit == 0 {
                    isPending = false
                    handler(.changed)
                }
            }
        }

        /// Takes what is waiting; whether something was added or changed.
        private func receive(_ handler: (News) -> Void) -> Bool {
            var isChanged = false
            while let device = udev_monitor_receive_device(monitor) {
                defer { udev_device_unref(device) }
                let action = udev_device_get_action(device).map { String(cString: $0) }
                guard action == "remove" else {
                    isChanged = true
                    continue
                }
                if let node = udev_device_get_devnode(device) {
                    let number = udev_device_get_seqnum(device)
                    handler(.removed(node: String(cString: node), number: number))
                }
            }
            return isChanged
        }
    }
}
