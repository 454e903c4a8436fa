internal import CV4L2
internal import Media

/// A camera's controls, on a node of their own or on the one that streams.
final class V4L2ControlAccess: DeviceControlAccess {
    private let device: CaptureDevice
    private let place: Place

    private enum Place: ~Copyable {
        case own(V4L2Node)
        case streaming(DriverBuffers)
    }

    /// - Parameter exclusively: raises the priority, so that other programs cannot change controls
    ///   or formats until this is released (VIDIOC_S_PRIORITY).
    init(_ device: CaptureDevice, exclusively: Bool) throws(MediaError) {
        self.device = device
        do throws(V4L2Node.Failure) {
            let node = try V4L2Node(path: device.node ?? device.id)
            if exclusively {
                var priority = V4L2_PRIORITY_RECORD.rawValue
                try node.call(.setPriority, &priority)
            }
            place = .own(node)
        } catch {
            throw .v4l2(error, on: device, doing: exclusively ? "reserve" : "open")
        }
    }

    init(_ device: CaptureDevice, streaming buffers: DriverBuffers) {
        self.device = device
        place = .streaming(buffers)
    }

    func list() throws(MediaError) -> [DeviceControl] { entries.map(\.control) }

    private var entries: [V4L2Controls.Entry] {
        switch place {
        case .own(let node): V4L2Controls.list(of: node)
        case .streaming(let buffers): buffers.controls
        }
    }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        let known = entries
        switch place {
        case .own(let node): try V4L2Controls.set(values, among: known, on: node, device)
        case .streaming(let buffers): try buffers.set(values, among: known, of: device)
        }
        return try list()
    }
}
