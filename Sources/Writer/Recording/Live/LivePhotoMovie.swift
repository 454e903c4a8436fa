public import Media

/// The movie of a live photo, in memory: what was before and after the photo, from the first whole frame on.
/// Nothing is written before a file is asked for.
public struct LivePhotoMovie: Sendable {
    /// When in the movie the photo was taken (movie time): where its frame begins.
    public let stillTime: MediaTime
    /// Length of the movie (seconds).
    public let duration: MediaTime
    /// What is missing of the 1.5 s before the photo (seconds; less than a frame is nothing, and zero).
    public let missingBefore: MediaTime
    /// What is missing of the 1.5 s after the photo (seconds; less than a frame is nothing, and zero).
    public let missingAfter: MediaTime
    /// Frames that the camera or the encoder lost within the movie; what is missing before and after it is not counted
    /// again (frames).
    public let lostFrames: Int
    /// How much of the movie has no audio of its microphone, and is silent instead (seconds; zero without a microphone).
    public let missingAudio: MediaTime

    /// Coded, from a sync sample on; those before `start` are decoded and not shown. Host clock.
    let frames: [SampleBuffer]
    let video: VideoFormat
    /// Raw blocks, some of them before `start`. Host clock.
    let blocks: [SampleBuffer]
    /// Raw; nil without a microphone.
    let audio: AudioFormat?
    /// Movie time zero (host clock).
    let start: MediaTime

    /// Ticks per second of the video track, in which H.264's times are counted (1/s).
    static let timescale: Int32 = 90_000

    /// - Parameters:
    ///   - frames: what the moment's surroundings take, in order.
    ///   - moment: when the photo was taken (host clock).
    ///   - lost: frames that never came, each time that of the first of them (host clock).
    /// - Returns: nil where there is no frame of these surroundings, or none near the moment.
    init?(
        _ frames: [SampleBuffer], _ video: VideoFormat, moment: MediaTime,
        audio: (format: AudioFormat, blocks: [SampleBuffer])?,
        lost: [(time: MediaTime, count: Int)]
    ) {
        let (first, end) = (moment - LivePhotoShots.span, moment + LivePhotoShots.span)
        let frame = video.nominalRate?.frameDuration ?? .milliseconds(33)
        guard let last = frames.last,
            let shown = frames.first(where: { $0.presentationTime >= first })
        else { return nil }
        let zero = shown.presentationTime
        let length = last.duration ?? frame
        let shownEnd = last.presentationTime + length
        guard zero <= moment + Self.mostApart, shownEnd >= moment - Self.mostApart else {
            return nil
        }
        func ticks(_ time: MediaTime) -> MediaTime {
            (time - zero).scaled(to: Self.timescale, rounding: .nearest)
        }
        self.frames = frames
        self.video = video
        self.audio = audio?.format
        lostFrames = lost.reduce(0) { count, lost in
            count + Self.frames(of: lost, each: frame, from: zero, to: shownEnd)
        }
        blocks = audio?.blocks ?? []
        start = zero
        duration = ticks(shownEnd)
        missingAudio = audio.map { Self.missing($0, from: zero, to: shownEnd) } ?? .zero
        stillTime = max(.zero, min(ticks(moment), ticks(last.presentationTime)))
        /// The next frame would have been beyond it.
        func missing(_ time: MediaTime) -> MediaTime {
            time < frame ? .zero : min(time, LivePhotoShots.span)
        }
        missingBefore = missing(zero - first)
        missingAfter = missing(end - shownEnd)
    }

    /// How far the moment may be from what is shown: frames that a busy machine lost (seconds).
    private static let mostApart = MediaTime.milliseconds(500)

    /// How many of the lost frames would be in a span.
    private static func frames(
        of lost: (time: MediaTime, count: Int), each frame: MediaTime, from start: MediaTime,
        to end: MediaTime
    ) -> Int {
        let (length, step) = ((end - lost.time).nanoseconds(), max(1, frame.nanoseconds()))
        let before = max(0, ((start - lost.time).nanoseconds() + step - 1) / step)
        let upTo = min(Int64(lost.count), max(0, (length + step - 1) / step))
        return Int(max(0, upTo - before))
    }

    /// What no block covers (seconds); less than a block is jitter.
    private static func missing(
        _ audio: (format: AudioFormat, blocks: [SampleBuffer]), from start: MediaTime,
        to end: MediaTime
    ) -> MediaTime {
        var covered = MediaTime.zero
        for block in audio.blocks {
            let rate = block.format.audio?.sampleRate ?? audio.format.sampleRate
            let length = MediaTime(
                value: Int64(block.audioFrameCount), timescale: Int32(clamping: max(1, rate)))
            let first = max(start, block.presentationTime)
            let last = min(end, block.presentationTime + length)
            if last > first { covered = covered + (last - first) }
        }
        let missing = end - start - covered
        return missing > .milliseconds(50) ? missing : .zero
    }

    /// The coded frames in movie time; hidden ones are before zero.
    var placedFrames: [SampleBuffer] {
        let end = MediaTime(value: duration.value, timescale: Self.timescale)
        var placed = frames.map { frame in
            var frame = frame
            frame.presentationTime = (frame.presentationTime - start)
                .scaled(to: Self.timescale, rounding: .nearest)
            frame.decodeTime = nil
            frame.duration = nil
            return frame
        }
        if let last = placed.last {
            placed[placed.count - 1].duration = end - last.presentationTime
        }
        return placed
    }
}
