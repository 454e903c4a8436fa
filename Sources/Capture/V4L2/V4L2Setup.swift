internal import CV4L2
internal import Glibc
internal import LibAV
internal import Media

/// A configured V4L2 device, ready to stream: opened, planned, granted, mapped.
final class V4L2Setup: Sendable {
    // immutable
    let device: CaptureDevice
    let format: VideoFormat
    let explanation: String
    let buffers: DriverBuffers
    let watch: ControlWatch
    private let events: V4L2Events
    private let payloads: DriverPayloads
    /// For what predicts: the camera's parameter sets.
    private let wire: AnnexBStream?

    /// Opens and configures the device as `settings` want it.
    init(_ device: CaptureDevice, settings: VideoInputSettings) throws(MediaError) {
        self.device = device
        let node = try Self.attempt("open", device) { () throws(V4L2Node.Failure) in
            try V4L2Node(path: device.node ?? device.id)
        }
        let capability = try Self.attempt("ask", device) { () throws(V4L2Node.Failure) in
            try V4L2Capability(of: node)
        }
        guard capability.isCamera else { throw .wrongKind(device, wanted: "camera") }
        // what the device listed before other timings came does not hold any more
        let isOther = try Self.takeSignal(node, device)
        let known = isOther ? [] : device.formats.compactMap(\.video)
        let plan = try FormatPlanner(
            formats: known.isEmpty ? V4L2Listing.formats(of: node, capability) : known,
            wanted: settings
        ).plan(deviceName: device.name)
        let controls = V4L2Controls.list(of: node)
        try Self.setControls(settings, among: controls, on: node, device)
        let granted = try Self.attempt("configure", device) { () throws(V4L2Node.Failure) in
            try V4L2GrantedFormat.set(plan.format.fourCC, plan.size, on: node, capability)
        }
        try granted.check(of: device)
        let duration = V4L2GrantedFormat.setFrameDuration(
            plan.frameDuration, on: node, capability)
        let rate = (duration ?? plan.frameDuration).flatMap(Self.rate)
        payloads = try DriverPayloads(
            granted: granted, node: node, device: device,
            bufferCount: Self.bufferCount(granted.size), rate: rate)
        let isDepth = V4L2PixelFormat.of(fourCC: granted.fourCC)?.isDepth ?? false
        let depth = settings.depth(
            of: payloads.coding, stated: isDepth ? .millimetres : nil)
        var plain = VideoFormat(
            coding: payloads.coding, width: granted.size.width, height: granted.size.height,
            color: depth == nil ? granted.color : .unspecified,
            orientation: SensorRotation.orientation(among: controls),
            nominalRate: rate)
        plain.depth = depth
        plain.bayer = payloads.bayer
        explanation = Self.explanation(plan, granted, rate)
        events = V4L2Events(on: node, controls: controls)
        // from here on every change is announced
        watch = ControlWatch(
            V4L2Controls.list(of: node).map(\.control),
            chain: capability.bus.map { "\(capability.driver) \($0)" })
        buffers = try Self.buffers(node, capability, granted, device)
        wire =
            plain.codec == .h264 || plain.codec == .hevc
            ? try WireProbe(buffers: buffers, device: device).stream(plain) : nil
        format = wire?.format ?? plain
    }

    private static func buffers(
        _ node: consuming V4L2Node, _ capability: V4L2Capability, _ granted: V4L2GrantedFormat,
        _ device: CaptureDevice
    ) throws(MediaError) -> DriverBuffers {
        do throws(V4L2Node.Failure) {
            return try DriverBuffers(
                taking: node, capability, memoryPlanes: granted.memoryPlanes,
                count: bufferCount(granted.size))
        } catch {
            throw .v4l2(error, on: device, doing: "get buffers of")
        }
    }

    private static func attempt<Result: ~Copyable>(
        _ action: String, _ device: CaptureDevice,
        _ body: () throws(V4L2Node.Failure) -> Result
    ) throws(MediaError) -> Result {
        do throws(V4L2Node.Failure) { return try body() } catch {
            throw .v4l2(error, on: device, doing: action)
        }
    }

    /// Enough for a reader that is late, few enough for 4K.
    private static func bufferCount(_ size: PixelSize) -> Int {
        size.area > PixelSize(1920, 1200).area ? 5 : 8
    }

    private static func rate(_ duration: MediaTime) -> FrameRate? {
        guard let denominator = Int32(exactly: duration.value), denominator > 0 else { return nil }
        return FrameRate(duration.timescale, per: denominator)
    }

    /// The plan, and where the driver did otherwise.
    private static func explanation(
        _ plan: FormatPlanner.Plan, _ granted: V4L2GrantedFormat, _ rate: FrameRate?
    ) -> String {
        var text = plan.explanation
        if granted.size != plan.size { text += "; the driver granted \(granted.size)" }
        if granted.fourCC != plan.format.fourCC {
            text += "; the driver granted \(V4L2PixelFormat.name(ofFourCC: granted.fourCC))"
        }
        if let rate, let wanted = plan.frameDuration, rate.frameDuration != wanted {
            text += "; the driver granted \(FormatPlanner.text(of: rate.frameDuration)) fps"
        }
        return text
    }

    /// Sets what was asked for. A rate asked for also keeps the camera from slowing down in the
    /// dark, unless the user set that control.
    private static func setControls(
        _ settings: VideoInputSettings, among controls: [V4L2Controls.Entry],
        on node: borrowing V4L2Node, _ device: CaptureDevice
    ) throws(MediaError) {
        var values = try settings.controlPlan(
            among: controls.map(\.control), of: device
        ).values
        let dynamic = controls.first { $0.id == vcap_V4L2_CID_EXPOSURE_AUTO_PRIORITY }
        if settings.rate != .automatic, let dynamic, dynamic.control.value == 1,
            !values.contains(where: { $0.name == dynamic.control.name })
        {
            values.append((dynamic.control.name, 0))
        }
        try V4L2Controls.set(values, among: controls, on: node, device)
    }

    /// Refuses an input without a signal and follows the timings of one that has; whether they
    /// were others than before.
    private static func takeSignal(
        _ node: borrowing V4L2Node, _ device: CaptureDevice
    ) throws(MediaError) -> Bool {
        guard let signal = V4L2Signal(of: node) else { return false }
        guard signal.isPresent else {
            throw MediaError(
                code: .noSignal, function: "VIDIOC_ENUMINPUT", subject: device.id,
                message:
                    "Cannot record from \(device.name) (\(device.node ?? device.id)): there is no "
                    + "signal at its input \(signal.inputName); switch on what is connected "
                    + "there, or choose another input (v4l2-ctl --set-input).")
        }
        return try attempt("set the timings of", device) { () throws(V4L2Node.Failure) in
            try signal.follow(on: node)
        }
    }

    /// Takes what the driver announces; why there will be no more frames of this format, when one was a change of
    /// resolution.
    func takeEvents() -> SourceInterruption.Reason? {
        let (isOtherFormat, notices) = events.take(from: buffers.descriptor)
        for notice in notices { watch.take(notice) }
        guard isOtherFormat else { return nil }
        return buffers.hasSignal ? .formatChanged : .noSignal
    }

    /// What a filled buffer holds and whether decoding can start at it, or `nil` when it is damaged. The buffer is given back, at once
    /// or when the frame lent is let go.
    func payload(
        of filled: DriverBuffers.Filled
    ) -> (payload: SampleBuffer.Payload, isSync: Bool)? {
        guard filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 else {
            buffers.giveBack(filled.index)
            return nil
        }
        guard let payload = payloads.payload(of: filled, in: buffers) else { return nil }
        guard let wire, case .coded(let bytes) = payload else { return (payload, true) }
        let (block, isSync) = wire.sample(from: bytes)
        return block.count > 0 ? (.coded(block), isSync) : nil
    }
}
