internal import LibAV
internal import Media

/// An open test camera: draws and delivers each frame at its time.
final class TestCamera: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let device: CaptureDevice
    private let settings: TestDeviceSettings
    private let schedule: DeviceSchedule
    private let scene: TestScene
    /// Instead of it, of a camera that hands out its sensor's values.
    private let bayer: TestBayerScene?
    /// Places upright frames as a rotated sensor sees them; `nil` for one that is not rotated.
    private let mounting: PixelRearrangement?
    private let frameFormat: VideoFormat
    private let pool: PixelBufferPool
    private let coder: TestFrameCoder?
    /// `nil` for one without controls.
    private let exposure: TestExposure?
    private let watch: ControlWatch
    private let clock: any MediaClock
    private let thread = StreamThread()

    init(
        device: CaptureDevice, settings: TestDeviceSettings, plan: TestCameraPlan,
        exposure: TestExposure? = nil, origin: Int64, clock: any MediaClock
    ) throws(MediaError) {
        self.device = device
        self.exposure = exposure
        watch = ControlWatch(
            exposure?.list() ?? [], chain: exposure.map { "test \(ObjectIdentifier($0))" })
        self.settings = settings
        self.clock = clock
        explanation = plan.explanation
        schedule = DeviceSchedule(origin: origin, rate: plan.rate, ppm: settings.ppm)
        bayer = plan.format.bayer.map { TestBayerScene(size: plan.size, $0) }
        // a sensor's values are drawn as they are packed, and nothing of this is used
        let raw = plan.format.pixelFormat ?? .yuv420p
        scene = TestScene(plan, raw)
        pool = PixelBufferPool(
            width: plan.size.width, height: plan.size.height, format: raw,
            limit: FrameBudget.limit(for: plan.size))
        var frameFormat = VideoFormat(
            coding: bayer == nil ? .raw(raw) : .coded(.rawvideo), width: plan.size.width,
            height: plan.size.height,
            color: plan.format.color, orientation: plan.orientation, nominalRate: plan.rate)
        frameFormat.depth = plan.depth
        frameFormat.bayer = plan.format.bayer
        self.frameFormat = frameFormat
        let rotation = plan.orientation.rotation.rawValue
        mounting = VideoOrientation.Rotation(rawValue: (360 - rotation) % 360).flatMap {
            $0 == .none
                ? nil
                : PixelRearrangement(
                    from: raw, to: raw, orientation: VideoOrientation(rotation: $0))
        }
        coder = plan.format == .mjpeg ? try TestFrameCoder(frameFormat) : nil
        format = .video(coder?.format ?? frameFormat)
    }

    var pictures: DeviceSchedule { schedule }

    var controls: (any DeviceControlAccess)? {
        WatchedControlAccess(TestControlAccess(device, exposure, by: watch), watch)
    }

    func watchControls(_ handler: @escaping @Sendable (ControlChange) -> Void) {
        watch.setHandler(handler)
        exposure?.add(watch)
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        let now = clock.now()
        thread.start(name: "vcap-test-cam") { [self] in run(from: now, handler) }
    }

    func stop() {
        thread.stop()
        exposure?.remove(watch)
    }

    private func run(from start: MediaTime, _ handler: @Sendable (SourceEvent) -> Void) {
        var number = schedule.firstUnit(atOrAfter: start)
        var lost = LostUnits()
        while true {
            let time = schedule.hostTime(of: number)
            guard clock.wait(until: time, orSignal: thread.stopSignal) == .reachedDeadline
            else { return }
            let deviceTime = schedule.deviceTime(of: number)
            if let button = settings.button, deviceTime.nanoseconds() >= button,
                schedule.deviceTime(of: number - 1).nanoseconds() < button
            {
                exposure?.pressButton()
            }
            if settings.faults.unplug(at: deviceTime) != nil {
                exposure?.forget()
                return handler(.interrupted(.unplugged(device, at: time)))
            }
            if let stall = settings.faults.stall(at: deviceTime) {
                let silent = deviceTime.nanoseconds() - stall.lowerBound
                if silent >= FaultScript.stallLimit {
                    return handler(.interrupted(.stalled(device, at: time)))
                }
                lost.add(1, at: time)
            } else if settings.faults.drops(number) {
                lost.add(1, at: time)
            } else {
                deliver(number, at: time, &lost, handler)
            }
            number += 1
        }
    }

    /// Of the pool while it has one; as a camera's driver, which copies what listeners hold on to, it does not
    /// let one that holds many cost the others any.
    private func emptyFrame() -> PixelBuffer {
        do throws(PixelBufferPool.Exhausted) {
            return try pool.makeBuffer()
        } catch {
            return PixelBuffer(width: pool.width, height: pool.height, format: pool.format)
        }
    }

    private func payload(_ number: Int64) throws -> SampleBuffer.Payload {
        guard let bayer else { return .pixels(try picture(number)) }
        return .coded(
            bayer.frame(
                number, isFlash: schedule.beginsSecond(number),
                factor: exposure?.nextFactor() ?? 1))
    }

    private func picture(_ number: Int64) throws -> PixelBuffer {
        var picture = emptyFrame()
        let isFlash = schedule.beginsSecond(number)
        guard let mounting else {
            scene.draw(
                number: number, isFlash: isFlash, by: exposure, frameFormat.orientation,
                into: &picture)
            return picture
        }
        var upright = scene.emptyFrame()
        scene.draw(
            number: number, isFlash: isFlash, by: exposure, frameFormat.orientation,
            into: &upright)
        mounting.convert(upright, into: &picture)
        return picture
    }

    private func deliver(
        _ number: Int64, at time: MediaTime, _ lost: inout LostUnits,
        _ handler: (SourceEvent) -> Void
    ) {
        let sample: SampleBuffer
        do {
            let payload = try payload(number)
            let displaced = time + .nanoseconds(settings.faults.displacement(of: number))
            let raw = SampleBuffer(
                payload: payload, format: .video(frameFormat),
                presentationTime: displaced,
                duration: schedule.rate.frameDuration)
            sample = try coder?.encode(raw) ?? raw
        } catch {
            // it could not be rotated or coded: a camera's damaged frame is not delivered either
            lost.add(1, at: time)
            return
        }
        let gap = lost.take()
        if let gap {
            handler(.dropped(SampleDrop(cause: .driverGap, count: gap.count, time: gap.time)))
        }
        var counted = sample
        counted.attachments.sequence = UInt64(number)
        counted.attachments.arrivalTime = clock.now()
        counted.attachments.lostBefore = gap?.count ?? 0
        handler(.sample(counted))
    }
}

/// Units lost since the last delivery, reported with the next one, as a driver's numbers do.
struct LostUnits {
    private var count = 0
    private var time = MediaTime.zero

    mutating func add(_ units: Int, at time: MediaTime) {
        if count == 0 { self.time = time }
        count += units
    }

    mutating func take() -> (count: Int, time: MediaTime)? {
        defer { count = 0 }
        return count > 0 ? (count, time) : nil
    }
}

extension SourceInterruption {
    static func unplugged(_ device: CaptureDevice, at time: MediaTime) -> SourceInterruption {
        SourceInterruption(
            reason: .deviceGone, time: time,
            message: "\(device.name) was unplugged; plug it in again to continue.")
    }

    static func stalled(_ device: CaptureDevice, at time: MediaTime) -> SourceInterruption {
        SourceInterruption(
            reason: .deviceStalled, time: time,
            message: "\(device.name) stopped delivering; it is opened again.")
    }
}
