internal import Media

/// An open test microphone: delivers 10 ms of audio at a time, once it would have been heard.
final class TestMicrophone: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let device: CaptureDevice
    private let settings: TestDeviceSettings
    private let schedule: DeviceSchedule
    private let track: BeepTrack
    private let timeline: TestTimeline
    private let clock: any MediaClock
    private let thread = StreamThread()

    init(
        device: CaptureDevice, settings: TestDeviceSettings, sampleRate: Int, channels: Int,
        timeline: TestTimeline, clock: any MediaClock
    ) {
        self.device = device
        self.settings = settings
        self.timeline = timeline
        self.clock = clock
        schedule = DeviceSchedule(
            origin: timeline.origin(on: clock), rate: FrameRate(Int32(sampleRate)),
            ppm: settings.ppm)
        track = BeepTrack(schedule: schedule, channels: channels)
        format = .audio(
            AudioFormat(coding: .raw(.int16), sampleRate: sampleRate, channels: channels))
        explanation = "\(sampleRate) Hz, \(channels) channels, 16 bit"
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        let now = clock.now()
        thread.start(name: "vcap-test-mic") { [self] in run(from: now, handler) }
    }

    func stop() { thread.stop() }

    /// The frames whose flashes are heard: those of the camera of the same number.
    private var pictures: DeviceSchedule {
        guard let rate = settings.frameRate else { return timeline.pictures(of: settings.number) }
        return DeviceSchedule(origin: schedule.origin, rate: rate, ppm: 0)
    }

    private func run(from start: MediaTime, _ handler: @Sendable (SourceEvent) -> Void) {
        let size = Int64(schedule.rate.numerator) / 100
        var block = (schedule.firstUnit(atOrAfter: start) + size - 1) / size
        var lost = LostUnits()
        while true {
            let first = block * size
            let end = schedule.hostTime(of: first + size)
            guard clock.wait(until: end, orSignal: thread.stopSignal) == .reachedDeadline
            else { return }
            let time = schedule.hostTime(of: first)
            let deviceTime = schedule.deviceTime(of: first)
            if settings.faults.unplug(at: deviceTime) != nil {
                return handler(.interrupted(.unplugged(device, at: time)))
            }
            if let stall = settings.faults.stall(at: deviceTime) {
                let silent = deviceTime.nanoseconds() - stall.lowerBound
                if silent >= FaultScript.stallLimit {
                    return handler(.interrupted(.stalled(device, at: time)))
                }
                lost.add(Int(size), at: time)
            } else if settings.faults.drops(block) {
                lost.add(Int(size), at: time)
            } else {
                deliver(block, first, Int(size), at: time, &lost, handler)
            }
            block += 1
        }
    }

    private func deliver(
        _ block: Int64, _ first: Int64, _ size: Int, at time: MediaTime, _ lost: inout LostUnits,
        _ handler: (SourceEvent) -> Void
    ) {
        let gap = lost.take()
        if let gap {
            handler(.dropped(SampleDrop(cause: .overrun, count: gap.count, time: gap.time)))
        }
        let sound = track.block(from: first, count: size, pictures: pictures)
        let displaced = time + .nanoseconds(settings.faults.displacement(of: block))
        handler(
            .sample(
                SampleBuffer(
                    payload: .audio(sound), format: format, presentationTime: displaced,
                    duration: MediaTime(value: Int64(size), timescale: schedule.rate.numerator),
                    attachments: SampleAttachments(
                        sequence: UInt64(first), arrivalTime: clock.now(),
                        lostBefore: gap?.count ?? 0))))
    }
}
