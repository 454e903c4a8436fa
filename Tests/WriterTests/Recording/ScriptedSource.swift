import Media
import TestSupport

/// A source that reports what a test makes it report.
final class ScriptedSource: SampleSource {
    let origin: SourceOrigin
    let format: FormatDescription
    private let listener = Lock(Listener())

    /// A struct, because a closure alone in a `Lock` is wrapped anew by every access.
    private struct Listener {
        var handle: (@Sendable (SourceEvent) -> Void)?
    }

    init(_ name: String, _ format: FormatDescription) {
        origin = SourceOrigin(identifier: "test:\(name)", name: name, driver: "script")
        self.format = format
    }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        listener.withLock { $0.handle = handler }
    }

    var hasListener: Bool { listener.withLock { $0.handle != nil } }

    func send(_ event: SourceEvent) { listener.withLock { $0.handle }?(event) }
}

/// A device of a rig: delivers what is due by the rig's clock. Times are host nanoseconds.
protocol RigDevice: AnyObject {
    var source: ScriptedSource { get }
    func advance(to now: Int64)
}

/// A camera that says it gives 25 frames a second, and does unless a period is set; each frame's luma is its count.
final class RigCamera: RigDevice {
    let source: ScriptedSource
    private(set) var format: VideoFormat
    private(set) var count = 0
    private var next: Int64
    private let period: Int64
    /// From a frame's stamp to its delivery (ns).
    var latency: Int64 = 5_000_000
    var isPlugged = true
    /// Frames the driver loses.
    var loses: (Int) -> Bool = { _ in false }
    /// The luma of all its frames; `nil`: their count.
    var luma: UInt8?

    init(
        _ name: String, at start: Int64, width: Int = 32, height: Int = 16,
        period: Int64 = 40_000_000
    ) {
        self.period = period
        format = VideoFormat(
            coding: .raw(.yuv420p), width: width, height: height, nominalRate: FrameRate(25))
        source = ScriptedSource(name, .video(format))
        next = start
    }

    func advance(to now: Int64) {
        while next + latency <= now {
            defer {
                next += period
                count += 1
            }
            guard isPlugged else { continue }
            if loses(count) {
                source.send(
                    .dropped(SampleDrop(cause: .driverGap, count: 1, time: .nanoseconds(next))))
            } else {
                source.send(.sample(picture(at: next)))
            }
        }
    }

    func unplug(at now: Int64) {
        isPlugged = false
        source.send(
            .interrupted(
                SourceInterruption(
                    reason: .deviceGone, time: .nanoseconds(now), message: "The camera is gone.")))
    }

    func replug(at now: Int64, width: Int? = nil, height: Int? = nil) {
        isPlugged = true
        format.width = width ?? format.width
        format.height = height ?? format.height
        source.send(.resumed(at: .nanoseconds(now), format: .video(format)))
    }

    func picture(at stamp: Int64) -> SampleBuffer {
        var picture = PixelBuffer(
            width: format.width, height: format.height, format: .yuv420p)
        let luma = luma ?? UInt8(count % 200 + 16)
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.rows {
                    plane.row(row).update(
                        repeating: index == 0 ? luma : 128,
                        count: index == 0 ? format.width : (format.width + 1) / 2)
                }
            }
        }
        return SampleBuffer(
            payload: .pixels(picture), format: .video(format), presentationTime: .nanoseconds(stamp)
        )
    }
}

/// A microphone of 48 kHz in buffers of 10 ms; its samples are the host's frame count, 1…30,000.
final class RigMicrophone: RigDevice {
    let source: ScriptedSource
    private var device = SimulatedDevice(content: .count)
    var isPlugged = true
    var isMuted = false
    /// By how much its clock was set since the start (ns).
    var clockStep: Int64 = 0

    init(_ name: String, at start: Int64) {
        device.origin = Double(start) / 1e9
        source = ScriptedSource(name, .audio(device.format))
    }

    func advance(to now: Int64) {
        while device.hostTime(device.frame + 480) * 1e9 <= Double(now) {
            var (block, stamp) = device.next(480)
            guard isPlugged else { continue }
            if isMuted { block = BlockBuffer([UInt8](repeating: 0, count: block.count)) }
            source.send(
                .sample(
                    SampleBuffer(
                        payload: .audio(block), format: .audio(device.format),
                        presentationTime: .nanoseconds(stamp + clockStep))))
        }
    }

    func unplug(at now: Int64) {
        isPlugged = false
        source.send(
            .interrupted(
                SourceInterruption(
                    reason: .deviceGone, time: .nanoseconds(now), message: "The mic is gone.")))
    }

    func replug(at now: Int64) {
        isPlugged = true
        source.send(.resumed(at: .nanoseconds(now), format: .audio(device.format)))
    }

    func overrun(_ frames: Int) {
        device.lose(Int64(frames))
        source.send(
            .dropped(
                SampleDrop(
                    cause: .overrun, count: frames,
                    time: .nanoseconds(Int64(device.hostTime(device.frame) * 1e9)))))
    }
}
