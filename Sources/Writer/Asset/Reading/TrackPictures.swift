internal import Image
internal import Media

/// The decoded pictures of a track by track time, in ticks of `line`. Thread-bound.
///
/// Two kinds: `PictureStream` decodes the samples of a movie, `ImagePictures` the pictures of a picture
/// file or an animation.
protocol TrackPictures: AnyObject {
    var line: EditLine { get }
    /// Pictures that could not be decoded so far (count).
    var damagedSamples: Int { get }

    /// The last picture at or before a time, and when the next one comes.
    func picture(at media: Int64) throws(WriterError) -> (sample: SampleBuffer, end: Int64?)

    func close()
}

extension Asset {
    /// Opens a track of pictures for decoding.
    func openPictures(
        _ track: AssetTrack, threads: Int
    ) throws(WriterError) -> any TrackPictures {
        if let image { return try ImagePictures(image) }
        return try PictureStream(self, track, threads: threads)
    }
}
