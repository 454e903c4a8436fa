internal import Media

/// Follows the devices of one kernel subsystem: the monitor says when to look, the census what has
/// come and gone.
final class UdevWatch: DeviceWatch {
    /// What there is to look at.
    struct Family: Sendable {
        /// `video4linux`, `sound`.
        var subsystem: String
        /// For how long nothing more must be announced before a look: a sound card is announced
        /// piece by piece, before it is listed.
        var settling: MediaTime = .zero
        /// The identities of all that is there, by node.
        var identities: @Sendable () -> [String: String]
        /// What sits at a node; `nil` for what is no capture device.
        var describe: @Sendable (_ node: String) -> CaptureDevice?

        /// - Returns: what has come and gone since the last look.
        @discardableResult
        fileprivate func look(_ census: inout DeviceCensus) -> [DeviceChange] {
            // before the look: what happens during it counts as later
            let text = FolderListing.firstLine(of: "/sys/kernel/uevent_seqnum")
            let number = text.flatMap { UInt64($0) } ?? 0
            return census.update(to: identities(), number: number, describe: describe)
        }
    }

    private let monitor: UdevMonitor

    /// Takes what is there now as known, and says what changes from then on; `nil` when neither
    /// udev nor the kernel announces anything here.
    init?(_ family: Family, handler: @escaping @Sendable (DeviceChange) -> Void) {
        guard let monitor = UdevMonitor(subsystem: family.subsystem) else { return nil }
        self.monitor = monitor
        var first = DeviceCensus()
        family.look(&first)
        let census = Lock(first)
        monitor.start(settling: family.settling) { news in
            let changes = census.withLock { census in
                switch news {
                case .removed(let node, let number): census.left(node, number: number)
                case .changed: family.look(&census)
                }
            }
            for change in changes { handler(change) }
        }
    }
}
