internal import LibAV
internal import Media

/// An open movie as a camera: its coded frames, round after round, each at its time.
final class FileCamera: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let device: CaptureDevice
    private let clip: FileClip
    private let track: Int
    private let clock: any MediaClock
    private let begin: @Sendable (MediaTime) -> Int64
    private let thread = StreamThread()

    init(
        device: CaptureDevice, clip: FileClip, track: Int, format: VideoFormat,
        asked: VideoInputSettings, clock: any MediaClock,
        begin: @escaping @Sendable (MediaTime) -> Int64
    ) {
        self.device = device
        self.clip = clip
        self.track = track
        self.clock = clock
        self.begin = begin
        self.format = .video(format)
        let size = PixelSize(format.width, format.height)
        var text = "\(size) as \(format.codec?.rawValue ?? "raw"), looped in real time"
        if let wanted = asked.size, wanted != size {
            text += "; \(wanted) was asked for, a file has only its own size"
        }
        explanation = text
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        let now = clock.now()
        let origin = begin(now)
        thread.start(name: "vcap-file-cam") { [self] in
            do throws(MediaError) {
                try run(from: now, origin: origin, handler)
            } catch {
                handler(.interrupted(.unreadable(device, error, at: clock.now())))
            }
        }
    }

    func stop() { thread.stop() }

    /// How long before the camera was started its first frame may lie: a camera that waits for the next sync sample
    /// instead may wait for many seconds.
    private static let head = MediaTime.seconds(1)

    private func run(
        from start: MediaTime, origin: Int64, _ handler: @Sendable (SourceEvent) -> Void
    ) throws(MediaError) {
        let length = clip.duration.nanoseconds()
        let first = (start.nanoseconds() - origin) / length
        var round = first
        // begins with a frame that needs no other one
        var isJoined = false
        var number: UInt64 = 0
        var pace = Pace()
        while !thread.stopSignal.isRaised {
            let base = MediaTime.nanoseconds(origin + round * length)
            let demuxer = try Demuxer(path: clip.path)
            var isEmpty = true
            while case .sample(let index, let sample) = try demuxer.next() {
                guard index == track else { continue }
                isEmpty = false
                let moved = Self.moved(sample, by: base)
                // the clip's microphone may have set the beginning a moment before
                let earliest = start - Self.head
                if !isJoined, !sample.isSync || moved.presentationTime < earliest { continue }
                isJoined = true
                guard
                    clock.wait(until: pace.due(moved), orSignal: thread.stopSignal)
                        == .reachedDeadline
                else { return }
                var counted = moved
                counted.attachments.sequence = number
                counted.attachments.arrivalTime = clock.now()
                number += 1
                handler(.sample(counted))
            }
            // a damaged movie must not be read again and again: the one it began within, and a whole one
            if isEmpty || !isJoined && round > first { throw unplayable }
            round += 1
        }
    }

    /// When a coded frame is there: like a camera's, not before its light fell, although the file states when it can be
    /// decoded, which is earlier by as much as frames are reordered.
    private struct Pace {
        private var reorder = MediaTime.zero

        mutating func due(_ sample: SampleBuffer) -> MediaTime {
            guard let decodeTime = sample.decodeTime else { return sample.presentationTime }
            reorder = max(reorder, sample.presentationTime - decodeTime)
            return decodeTime + reorder
        }
    }

    private var unplayable: MediaError {
        MediaError(
            code: .damagedFile, subject: clip.path,
            message: "\(clip.path) has no frame that can be shown; the file is damaged.")
    }

    /// A sample of the file on the host clock.
    private static func moved(_ sample: SampleBuffer, by base: MediaTime) -> SampleBuffer {
        var moved = sample
        moved.presentationTime =
            base + .nanoseconds(sample.presentationTime.nanoseconds())
        moved.decodeTime = sample.decodeTime.map { base + .nanoseconds($0.nanoseconds()) }
        return moved
    }
}

extension SourceInterruption {
    static func unreadable(
        _ device: CaptureDevice, _ error: MediaError, at time: MediaTime
    ) -> SourceInterruption {
        var interruption = SourceInterruption(
            reason: .deviceFailed, time: time,
            message: "\(device.name) cannot be read on: \(error.message)")
        interruption.failure = error.code
        return interruption
    }
}
