internal import CUdev
internal import Glibc
internal import Media

/// Nodes coming and going, as udev tells; the kernel's own events where no udev runs.
final class UdevMonitor: DeviceWatch {
    enum Change: Sendable {
        case added(node: String)
        case removed(node: String)
    }

    private let thread = StreamThread()

    /// `nil` when the system has neither.
    init?(subsystem: String, handler: @escaping @Sendable (Change) -> Void) {
        guard let monitor = Monitor(subsystem: subsystem) else { return nil }
        thread.start(name: "vcap-udev") { [stop = thread.stopSignal] in
            monitor.run(until: stop, handler)
        }
    }

    deinit { thread.stop() }

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

        func run(until stop: WakeSignal, _ handler: (Change) -> Void) {
            var entries = [
                pollfd(fd: udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&entries, 2, -1) > 0 || errno == EINTR {
                if entries[1].revents != 0 { return }
                while let device = udev_monitor_receive_device(monitor) {
                    if let change = change(device) { handler(change) }
                    udev_device_unref(device)
                }
            }
        }

        private func change(_ device: OpaquePointer) -> Change? {
            guard let action = udev_device_get_action(device) else { return nil }
            switch String(cString: action) {
            case "add":
                return udev_device_get_devnode(device).map { .added(node: String(cString: $0)) }
            case "remove":
                return udev_device_get_devnode(device).map { .removed(node: String(cString: $0)) }
            default: return nil
            }
        }
    }
}
