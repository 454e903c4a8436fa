import LibAV
import Media
import TestSupport

@testable import Movie

/// Coded samples as the asset writer would hand them to a container.
struct CodedTake {
    var tracks: [ContainerTrack]
    /// In the order in which they reach the container.
    var samples: [(track: Int, sample: SampleBuffer)]
    var annotations: [MovieAnnotation] = []
    var metadata = MovieMetadata(
        title: "Ein Titel", creationTime: 1_700_000_000_000_000_000, software: "vcap 1",
        encoderFingerprint: "h264/veryfast/crf20", deviceNames: ["Kamera", "Mikrofon"],
        values: ["org.example.scene": "4b"])

    init(tracks: [ContainerTrack], samples: [(track: Int, sample: SampleBuffer)]) {
        self.tracks = tracks
        self.samples = samples
    }

    // MARK: real samples

    /// Two seconds of H.264 with AAC, encoded once.
    static let real = Result {
        try CodedTake(
            video: VideoEncoderSettings(codec: .h264), audio: AudioEncoderSettings(codec: .aac))
    }

    init(
        video: VideoEncoderSettings?, audio: AudioEncoderSettings?, frames: Int = 60,
        orientation: VideoOrientation = .upright, aspect: PixelAspect = .square
    ) throws {
        self.init(tracks: [], samples: [])
        if let video { try addVideo(video, frames, orientation, aspect) }
        if let audio { try addAudio(audio, seconds: Double(frames) / 30) }
        sort()
    }

    private mutating func addVideo(
        _ settings: VideoEncoderSettings, _ frames: Int, _ orientation: VideoOrientation,
        _ aspect: PixelAspect
    ) throws {
        let raw = VideoFormat(
            coding: .raw(settings.codec == .mjpeg ? .yuv420p : .yuv420p), width: 192, height: 96,
            color: settings.codec == .mjpeg ? .jpeg : .bt709, pixelAspect: aspect,
            orientation: orientation, nominalRate: FrameRate(30))
        let encoder = try VideoEncoder(settings: settings, input: raw)
        var coded: [SampleBuffer] = []
        for number in 0..<frames {
            let time = MediaTime(value: Int64(number) * 3000, timescale: 90_000)
            coded += try encoder.encode(
                SampleBuffer(
                    payload: .pixels(CodedTake.picture(number)), format: .video(raw),
                    presentationTime: time,
                    duration: MediaTime(value: 3000, timescale: 90_000)))
        }
        coded += try encoder.finish()
        let track = tracks.count
        tracks.append(
            ContainerTrack(
                format: .video(encoder.format), timescale: 90_000, name: "Kamera"))
        samples += coded.map { (track, $0.inTicks(90_000)) }
    }

    private mutating func addAudio(_ settings: AudioEncoderSettings, seconds: Double) throws {
        let raw = AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 2)
        let encoder = try AudioEncoder(settings: settings, input: raw)
        var coded: [SampleBuffer] = []
        let total = Int(seconds * 48_000)
        for start in stride(from: 0, to: total, by: 960) {
            let count = min(960, total - start)
            let block = BlockBuffer(count: count * 4) { bytes in
                for frame in 0..<count {
                    let phase = (start + frame) % 48
                    let value = Int16(phase < 24 ? phase * 300 : (48 - phase) * 300)
                    for channel in 0..<2 {
                        bytes.storeBytes(
                            of: value, toByteOffset: frame * 4 + channel * 2, as: Int16.self)
                    }
                }
            }
            coded += try encoder.encode(
                SampleBuffer(
                    payload: .audio(block), format: .audio(raw),
                    presentationTime: MediaTime(value: Int64(start), timescale: 48_000)))
        }
        coded += try encoder.finish()
        let track = tracks.count
        tracks.append(
            ContainerTrack(
                format: .audio(encoder.format), timescale: 48_000, language: "de",
                name: "Mikrofon"))
        samples += coded.map { (track, $0.inTicks(48_000)) }
    }

    static func picture(_ number: Int) -> PixelBuffer {
        var picture = PixelBuffer(width: 192, height: 96, format: .yuv420p)
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                let columns = index == 0 ? 192 : 96
                for y in 0..<plane.rows {
                    for x in 0..<columns {
                        // the strip of 24 cells every oracle can read, a moving ramp below it
                        let cell = number >> (23 - x / 8) & 1 == 1 ? UInt8(235) : 16
                        let ramp = UInt8(40 + (x + y + number * 3) % 160)
                        plane.row(y)[x] = index > 0 ? 128 : y < 8 ? cell : ramp
                    }
                }
            }
        }
        return picture
    }

    // MARK: synthetic samples

    static let avcConfiguration: [UInt8] =
        [1, 66, 0, 10, 0xFF, 0xE1, 0, 4, 0x67, 66, 0, 10]
        + [1, 0, 4, 0x68, 0xCE, 0x38, 0x80]

    /// Samples of given sizes that no decoder would like: 30 frames a second, a sync sample each
    /// second, and AAC's rhythm.
    static func synthetic(
        seconds: Int, videoBytes: Int = 400, audioBytes: Int = 60, jitter: Bool = false
    ) -> CodedTake {
        let video = ContainerTrack(
            format: .video(
                VideoFormat(
                    coding: .coded(.h264), width: 1280, height: 720, color: .bt709,
                    codecConfiguration: avcConfiguration)), timescale: 90_000)
        let audio = ContainerTrack(
            format: .audio(
                AudioFormat(
                    coding: .coded(.aac), sampleRate: 48_000, channels: 2,
                    codecConfiguration: [0x11, 0x90], primingFrames: 1024, framesPerPacket: 1024)),
            timescale: 48_000)
        var take = CodedTake(tracks: [video, audio], samples: [])
        let frame = BlockBuffer((0..<videoBytes).map { UInt8(truncatingIfNeeded: $0) })
        let sound = BlockBuffer((0..<audioBytes).map { UInt8(truncatingIfNeeded: $0 * 7) })
        take.samples.reserveCapacity(seconds * 78)
        let (pictures, sounds) = (seconds * 30, seconds * 48_000 / 1024 + 1)
        var (nextFrame, nextAudio) = (0, 0)
        while nextFrame < pictures || nextAudio < sounds {
            // audio first where both are due: it began a packet earlier
            let audioIsDue = (nextAudio - 1) * 1024 * 30 <= nextFrame * 48_000
            if nextAudio < sounds, audioIsDue || nextFrame == pictures {
                let time = Int64(nextAudio) * 1024 - 1024
                take.samples.append(
                    (
                        1,
                        SampleBuffer(
                            payload: .coded(sound), format: audio.format,
                            presentationTime: MediaTime(value: time, timescale: 48_000),
                            duration: MediaTime(value: 1024, timescale: 48_000))
                    ))
                nextAudio += 1
            } else {
                let shake = jitter ? Int64(nextFrame * 7919 % 401) - 200 : 0
                let time = max(0, Int64(nextFrame) * 3000 + shake)
                take.samples.append(
                    (
                        0,
                        SampleBuffer(
                            payload: .coded(frame), format: video.format,
                            presentationTime: MediaTime(value: time, timescale: 90_000),
                            duration: MediaTime(value: 3000, timescale: 90_000),
                            isSync: nextFrame % 30 == 0)
                    ))
                nextFrame += 1
            }
        }
        return take
    }

    /// Orders samples as they would arrive; decode order within a track is kept.
    mutating func sort() {
        let keyed = samples.enumerated().map { position, entry in
            let time = entry.sample.decodeTime ?? entry.sample.presentationTime
            return (time.nanoseconds(), position, entry)
        }
        samples = keyed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    // MARK: writing

    /// Writes the take; annotations go in when their time comes.
    @discardableResult
    func write(
        to file: DurableFile, container: MovieContainer = .mp4,
        options: MovieFileWriter.Options = MovieFileWriter.Options()
    ) throws -> ContainerSummary {
        let writer = try begun(file, container, options)
        try append(to: writer)
        return try writer.finish()
    }

    func begun(
        _ file: DurableFile, _ container: MovieContainer = .mp4,
        _ options: MovieFileWriter.Options = MovieFileWriter.Options()
    ) throws -> MovieFileWriter {
        let writer = MovieFileWriter(file: file, container: container, options: options)
        for track in tracks { _ = try writer.addTrack(track) }
        try writer.begin(metadata)
        return writer
    }

    func append(to writer: MovieFileWriter) throws {
        var waiting = annotations[...]
        for (track, sample) in samples {
            while let next = waiting.first, next.time <= sample.presentationTime {
                try writer.annotate(next)
                waiting.removeFirst()
            }
            try writer.append(sample, track: track)
        }
        for annotation in waiting { try writer.annotate(annotation) }
    }
}

extension SampleBuffer {
    /// The sample with its times in ticks of a track.
    func inTicks(_ timescale: Int32) -> SampleBuffer {
        var copy = self
        copy.presentationTime = presentationTime.scaled(to: timescale, rounding: .nearest)
        copy.decodeTime = decodeTime?.scaled(to: timescale, rounding: .nearest)
        copy.duration = duration?.scaled(to: timescale, rounding: .nearest)
        return copy
    }
}

extension DurableFile {
    /// On a scripted disk; synced only when the test or the writer asks, so that calls are the same
    /// on every run.
    convenience init(
        scripted io: ScriptedFileIO, policy: SyncPolicy = .every(.seconds(1_000_000)),
        onFailure: @escaping FailureHandler = { _ in }
    ) {
        self.init(
            io: io, name: "take.mp4", policy: policy, gapHeader: MovieFileWriter.gapHeader,
            onFailure: onFailure)
    }
}
