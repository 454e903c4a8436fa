internal import Image
internal import Media

/// The decoded frames of a track by track time, in ticks of `line`. Thread-bound.
///
/// Three kinds: `FrameStream` decodes the samples of a movie, `ImageFrames` the frames of a frame
/// file or an animation, `SequenceFrames` numbered pictures.
protocol TrackFrames: AnyObject {
    var line: EditLine { get }
    /// Coded frames that could not be decoded whole so far (count).
    var damagedSamples: Int { get }
    /// Of a sequence the pictures among them.
    var damagedFiles: [String] { get }

    /// The last frame at or before a time, and when the next one comes.
    func picture(at media: Int64) throws(MediaError) -> (sample: SampleBuffer, end: Int64?)

    /// The frame right before the one that `picture(at:)` gave last, if that one is interlaced; nil: it would have to
    /// be decoded anew, or there is none.
    var previous: SampleBuffer? { get }

    /// As `CodedTrack.syncTimes`.
    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) throws(MediaError) -> (before: Int64?, after: Int64?)

    func close()
}

extension TrackFrames {
    var damagedFiles: [String] { [] }

    var previous: SampleBuffer? { nil }
}

extension Asset {
    /// Opens a track of frames for decoding.
    func openFrames(
        _ track: AssetTrack, threads: Int, fitting box: FrameBounds?
    ) throws(MediaError) -> any TrackFrames {
        if let sequence { return SequenceFrames(sequence) }
        if let image { return try ImageFrames(image, fitting: box) }
        return try FrameStream(self, track, threads: threads)
    }
}

/// A frame that a picture will be made smaller to (pixels, of the picture as it is stored).
package struct FrameBounds: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// As large as a frame can be shown: longer sides are made smaller, nothing else.
    package static let longest = FrameBounds(width: 16_384, height: 16_384)

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
