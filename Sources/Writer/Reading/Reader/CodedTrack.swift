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

    /// When the last sync sample at or before a time is shown; `nil` where only reading would show.
    func syncTime(before media: Int64) -> Int64?

    /// When the frame that is on show at a time began; `nil` where only reading would show, or there is none.
    func shownTime(at media: Int64) -> Int64?

    /// When the last sync sample at or before a time is shown, and the first one after it; `nil`: there is none.
    /// - Parameter limits: how far away they are of use (ticks; `nil`: at any distance); what is not may be left out.
    /// - Returns: also whether that was read, so that one must `seek` before anything else.
    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) throws(MediaError) -> (before: Int64?, after: Int64?, hasMoved: Bool)

    /// Every sample in decode order without its bytes; one must `seek` before anything else.
    func frames() throws(MediaError) -> [CodedIndex.Frame]

    /// Whether stamps are only as fine as the line's ticks, audio's true places being finer.
    var hasCoarseStamps: Bool { get }

    /// Whether decode times can be taken over (`OrderedTrack` makes others).
    var decodeTimes: DecodeTimes { get }

    func close()
}

/// How far from a time sync samples are of use (ticks of a line; `nil`: at any distance).
struct SyncLimits: Sendable {
    var before: Int64?
    var after: Int64?
}

extension CodedTrack {
    func shownTime(at media: Int64) -> Int64? { nil }

    func frames() throws(MediaError) -> [CodedIndex.Frame] { try readFrames() }

    /// By reading on from the sync sample before, where there is no index.
    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) throws(MediaError) -> (before: Int64?, after: Int64?, hasMoved: Bool) {
        _ = try seek(to: media)
        var before: Int64?
        while let sample = try next() {
            let time = sample.presentationTime.value
            if sample.isSync {
                if time > media { return (before, time, true) }
                before = max(before ?? time, time)
            }
            if let most = limits.after, time - media > most { break }
            // one that is farther away than the other is not wanted
            if let distance = before.map({ media - $0 }), distance <= limits.before ?? .max,
                time - media > distance
            {
                break
            }
        }
        return (before, nil, true)
    }
}

extension Asset {
    /// Opens a track for reading.
    /// - Throws: `unsupported` for frames that are no movie's, among others.
    func open(_ track: AssetTrack) throws(MediaError) -> any CodedTrack {
        guard image == nil, sequence == nil else {
            throw unreadable(
                track, because: "frames that are no movie's are read decoded, not as samples")
        }
        if let file = subtitleFile(of: track) { return SubtitleTrack(file) }
        return container == "mp4" || container == "mov"
            ? try MovieFileTrack(self, track) : try DemuxedFileTrack(self, track)
    }

    func unreadable(_ track: AssetTrack, because reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: path,
            message: "Cannot read track \(track.id) of \(path): \(reason).")
    }
}
