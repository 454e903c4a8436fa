internal import CV4L2
internal import Media

/// A camera opened for its controls alone.
final class V4L2ControlAccess: DeviceControlAccess {
    private let device: CaptureDevice
    private let node: V4L2Node

    /// - Parameter exclusively: raises the priority, so that other programs cannot change controls
    ///   or formats until this is released (VIDIOC_S_PRIORITY).
    init(_ device: CaptureDevice, exclusively: Bool) throws(MediaError) {
        self.device = device
        do throws(V4L2Node.Failure) {
            node = try V4L2Node(path: device.node ?? device.id)
            if exclusively {
                var priority = V4L2_PRIORITY_RECORD.rawValue
                try node.call(.setPriority, &priority)
            }
        } catch {
            throw .v4l2(error, on: device, doing: exclusively ? "reserve" : "open")
        }
    }

    func list() throws(MediaError) -> [DeviceControl] {
        V4L2Controls.list(of: node).map(\.control)
    }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        try V4L2Controls.set(values, among: V4L2Controls.list(of: node), on: node, device)
        let names = Set(values.map(\.name))
        return try list().filter { names.contains($0.name) }
    }
}
