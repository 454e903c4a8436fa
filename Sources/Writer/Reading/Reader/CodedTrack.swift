internal import LibAV
internal import Media

/// One track's coded samples in decode order, wherever they come from. Times are track time in ticks
/// of `line.timescale`. Thread-bound.
///
/// Two kinds: `MovieFileTrack` reads MP4 and QuickTime through our own index, because libavformat 59
/// applies edit lists itself while it reads (samples outside are dropped or re-stamped, rates and
/// several spans approximated) and our tables give every sample's place, so that any jump is exact.
/// `DemuxedFileTrack` reads all other containers through libavformat: they have no edit lists.
protocol CodedTrack: AnyObject {
    var format: FormatDescription { get }
    var line: EditLine { get }

    /// The next sample; `nil` at the end.
    func next() throws(MediaError) -> SampleBuffer?

    /// Goes to the last sync sample shown at or before a time, to the first sample if there is none.
    /// - Returns: whether it is the track's beginning.
    func seek(to media: Int64) throws(MediaError) -> Bool

    /// When the last sync sample at or before a time is shown; `nil` where only reading would tell.
    func syncTime(before media: Int64) -> Int64?

    /// Whether stamps are only as fine as the line's ticks, sound's true places being finer.
    var hasCoarseStamps: Bool { get }

    /// Whether decode times can be taken over (`OrderedTrack` makes others).
    var decodeTimes: DecodeTimes { get }

    func close()
}

extension Asset {
    /// Opens a track for reading.
    /// - Throws: `unsupported` for pictures that are no movie's, among others.
    func open(_ track: AssetTrack) throws(MediaError) -> any CodedTrack {
        guard image == nil else {
            throw unreadable(
                track, because: "pictures that are no movie's are read decoded, not as samples")
        }
        return container == "mp4" || container == "mov"
            ? try MovieFileTrack(self, track) : try DemuxedFileTrack(self, track)
    }

    func unreadable(_ track: AssetTrack, because reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: path,
            message: "Cannot read track \(track.id) of \(path): \(reason).")
    }
}
