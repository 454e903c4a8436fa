internal import LibAV
internal import Media

/// An open movie as a microphone: its decoded audio, round after round, an unbroken run of frames.
/// Where the audio is shorter than the movie, silence; where it is longer, it is cut.
final class FileMicrophone: CaptureStream {
    // immutable
    let format: FormatDescription
    let explanation: String
    private let device: CaptureDevice
    private let clip: FileClip
    private let track: Int
    private let sound: AudioFormat
    private let clock: any MediaClock
    private let begin: @Sendable (MediaTime) -> Int64
    private let thread = StreamThread()

    init(
        device: CaptureDevice, clip: FileClip, track: Int, format: AudioFormat,
        clock: any MediaClock, begin: @escaping @Sendable (MediaTime) -> Int64
    ) {
        self.device = device
        self.clip = clip
        self.track = track
        self.clock = clock
        self.begin = begin
        sound = format
        self.format = .audio(format)
        explanation =
            "\(format.sampleRate) Hz, \(format.channels) channels, looped in real time"
    }

    func start(handler: @escaping @Sendable (SourceEvent) -> Void) throws(MediaError) {
        let now = clock.now()
        let schedule = DeviceSchedule(
            origin: begin(now), rate: FrameRate(Int32(sound.sampleRate)), ppm: 0)
        thread.start(name: "vcap-file-mic") { [self] in
            do throws(MediaError) {
                try run(schedule, from: schedule.firstUnit(atOrAfter: now), handler)
            } catch {
                handler(.interrupted(.unreadable(device, error, at: clock.now())))
            }
        }
    }

    func stop() { thread.stop() }

    /// First frame of a round.
    private func frame(ofRound round: Int64) -> Int64 {
        let total = Int128(clip.duration.nanoseconds()) * Int128(round) * Int128(sound.sampleRate)
        return Int64((total + 500_000_000) / 1_000_000_000)
    }

    private func run(
        _ schedule: DeviceSchedule, from first: Int64,
        _ handler: @Sendable (SourceEvent) -> Void
    ) throws(MediaError) {
        var round: Int64 = 0
        while frame(ofRound: round + 1) <= first { round += 1 }
        while true {
            let end = frame(ofRound: round + 1)
            var place = frame(ofRound: round)
            let demuxer = try Demuxer(path: clip.path)
            let decoder = try AudioDecoder(format: try coded(demuxer))
            while place < end {
                let blocks = try read(demuxer, decoder)
                for block in blocks ?? [silence(frames: end - place)] {
                    let frames = Int64(block.count / sound.bytesPerFrame)
                    let kept = min(frames, end - place)
                    if place >= first, kept > 0,
                        !deliver(block, kept, at: place, schedule, handler)
                    {
                        return
                    }
                    place += kept
                }
            }
            round += 1
        }
    }

    /// The next decoded audio; `nil` at the end of the file.
    private func read(
        _ demuxer: Demuxer, _ decoder: AudioDecoder
    ) throws(MediaError) -> [BlockBuffer]? {
        while case .sample(let index, let sample) = try demuxer.next() {
            guard index == track else { continue }
            return try decoder.decode(sample).compactMap(\.block)
        }
        return nil
    }

    private func coded(_ demuxer: Demuxer) throws(MediaError) -> AudioFormat {
        guard demuxer.tracks.indices.contains(track),
            let format = demuxer.tracks[track].format.audio
        else {
            throw MediaError(
                code: .damagedFile, function: "", subject: clip.path,
                message: "Cannot read on in \(clip.path): it has changed since it was opened.")
        }
        return format
    }

    private func silence(frames: Int64) -> BlockBuffer {
        // at most a tenth of a second at a time: what is asked for can be long
        let count = min(frames, Int64(sound.sampleRate / 10))
        return BlockBuffer([UInt8](repeating: 0, count: Int(count) * sound.bytesPerFrame))
    }

    /// `false` when the stream is to stop.
    private func deliver(
        _ block: BlockBuffer, _ frames: Int64, at place: Int64, _ schedule: DeviceSchedule,
        _ handler: (SourceEvent) -> Void
    ) -> Bool {
        let end = schedule.hostTime(of: place + frames)
        guard clock.wait(until: end, orSignal: thread.stopSignal) == .reachedDeadline
        else { return false }
        let bytes = Int(frames) * sound.bytesPerFrame
        handler(
            .sample(
                SampleBuffer(
                    payload: .audio(block.count == bytes ? block : block.slice(0..<bytes)),
                    format: format, presentationTime: schedule.hostTime(of: place),
                    duration: MediaTime(value: frames, timescale: Int32(sound.sampleRate)),
                    attachments: SampleAttachments(
                        sequence: UInt64(place), arrivalTime: clock.now()))))
        return true
    }
}
