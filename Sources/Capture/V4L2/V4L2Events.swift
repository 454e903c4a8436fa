internal import CV4L2
internal import Media

/// What a driver announces besides frames: another signal at its input, and controls that others set.
struct V4L2Events: Sendable {
    private let names: [UInt32: String]

    /// Subscribes to them on the node that streams; a driver without such events refuses, which is fine. Of controls it
    /// leaves out what this very node sets.
    init(on node: borrowing V4L2Node, controls: [V4L2Controls.Entry]) {
        var input: Int32 = 0
        try? node.call(.getInput, &input)
        // the event is the input's
        Self.subscribe(UInt32(V4L2_EVENT_SOURCE_CHANGE), UInt32(bitPattern: input), on: node)
        for entry in controls {
            Self.subscribe(UInt32(V4L2_EVENT_CTRL), entry.id, on: node)
        }
        names = Dictionary(controls.map { ($0.id, $0.control.name) }) { first, _ in first }
    }

    private static func subscribe(_ type: UInt32, _ id: UInt32, on node: borrowing V4L2Node) {
        var subscription = v4l2_event_subscription()
        subscription.type = type
        subscription.id = id
        try? node.call(.subscribe, &subscription)
    }

    /// Takes what is pending.
    /// - Returns: whether there will be no more frames of this format, and which controls are set otherwise.
    func take(from descriptor: Int32) -> (
        isOtherFormat: Bool, notices: [ControlLedger.Notice]
    ) {
        var isOtherFormat = false
        var notices: [ControlLedger.Notice] = []
        var event = v4l2_event()
        while V4L2Node.ioctl(descriptor, .dequeueEvent, &event) == 0 {
            switch event.type {
            case UInt32(V4L2_EVENT_SOURCE_CHANGE):
                let changes = vcap_event_source_change(&event)
                if changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0 { isOtherFormat = true }
            case UInt32(V4L2_EVENT_CTRL): if let notice = notice(event) { notices.append(notice) }
            default: break
            }
        }
        return (isOtherFormat, notices)
    }

    /// `nil` where no value is another, and for values that an automatic mode rules.
    private func notice(_ event: v4l2_event) -> ControlLedger.Notice? {
        var event = event
        let ruled = V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_VOLATILE
        guard vcap_event_control_changes(&event) & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0,
            vcap_event_control_flags(&event) & UInt32(ruled) == 0, let name = names[event.id]
        else { return nil }
        let type = vcap_event_control_type(&event)
        // of a region nothing but that it changed is said
        guard type < vcap_V4L2_CTRL_COMPOUND_TYPES else { return nil }
        let isWide = type == V4L2_CTRL_TYPE_INTEGER64.rawValue
        var value = vcap_event_control_value(&event, isWide ? 1 : 0)
        // the kernel keeps bit masks in a signed field
        if type == V4L2_CTRL_TYPE_BITMASK.rawValue { value &= 0xFFFF_FFFF }
        let time = Int64(event.timestamp.tv_sec) * 1_000_000_000 + Int64(event.timestamp.tv_nsec)
        return ControlLedger.Notice(name: name, value: value, time: .nanoseconds(time))
    }
}
