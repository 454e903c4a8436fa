package import Media

/// When the frames and the audio of a film begin, as an export counts them: frame *n* of a range of the timeline
/// is what is on show *n* frame durations after the range's start. A value; reentrant.
package struct FilmTimes: Sendable, Hashable {
    /// The tick at which the writer places frames (1/s).
    private static let videoTimescale: Int32 = 90_000

    /// Of the timeline.
    package let range: MediaTimeRange
    /// One frame's time (seconds; positive, or zero without frames).
    package let frameDuration: MediaTime
    /// Frames of the range (count; 0 without frames).
    package let frameCount: Int64
    /// Of the audio (Hz).
    package let sampleRate: Int
    /// Audio frames of the range (count; 0 without audio).
    package let audioFrameCount: Int64

    package init(
        range: MediaTimeRange, frameDuration: MediaTime?, sampleRate: Int, hasAudio: Bool
    ) {
        self.range = range
        self.sampleRate = sampleRate
        self.frameDuration = frameDuration ?? .zero
        frameCount = frameDuration.map { Self.frameCount(range.duration, $0) } ?? 0
        audioFrameCount =
            hasAudio ? range.duration.ticks(per: Int32(sampleRate), rounding: .nearest) : 0
    }

    /// Frames that begin before the end, in ticks of the track as the writer counts.
    static func frameCount(_ length: MediaTime, _ frameDuration: MediaTime) -> Int64 {
        let end = length.ticks(per: videoTimescale, rounding: .nearest)
        let approximate =
            Int128(length.value) * Int128(frameDuration.timescale)
            / (Int128(length.timescale) * Int128(frameDuration.value))
        var count = Int64(approximate) + 1
        func tick(_ frame: Int64) -> Int64 {
            (frameDuration * frame).ticks(per: videoTimescale, rounding: .nearest)
        }
        while count > 1, tick(count - 1) >= end { count -= 1 }
        return count
    }

    /// The instant of the timeline that a frame shows: on the timeline's grid, where usual frame durations are;
    /// others round up, so that a picture is never asked for just before it begins.
    package func time(ofFrame number: Int64) -> MediaTime {
        range.start.adding(exactly: frameDuration * number)
    }

    /// The frame on show at an instant; the first before the range, the last behind it.
    package func frame(at time: MediaTime) -> Int64 {
        guard frameCount > 0 else { return 0 }
        let into = time - range.start
        let approximate =
            Int128(into.value) * Int128(frameDuration.timescale)
            / (Int128(into.timescale) * Int128(frameDuration.value))
        var number = min(max(Int64(clamping: approximate), 0), frameCount - 1)
        while number > 0, self.time(ofFrame: number) > time { number -= 1 }
        while number < frameCount - 1, self.time(ofFrame: number + 1) <= time { number += 1 }
        return number
    }

    /// The film's audio frame at the range's start.
    package var firstAudioFrame: Int64 {
        range.start.ticks(per: Int32(sampleRate), rounding: .nearest)
    }
}

extension MediaTime {
    /// On the timeline's grid, rounded up.
    fileprivate func adding(exactly other: MediaTime) -> MediaTime {
        .timeline(timelineTicks + other.ticks(per: Composition.timescale, rounding: .up))
    }
}
