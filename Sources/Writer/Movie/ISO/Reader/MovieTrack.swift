package import Media

/// One track of a movie file with every sample's place and time.
package struct MovieTrack: Sendable {
    /// One coded sample. Times are track time, in ticks of the track.
    package struct Sample: Sendable, Hashable {
        /// Where its bytes are in the file.
        package var offset: Int64
        package var size: UInt32
        package var decodeTime: Int64
        package var compositionOffset: Int32
        package var duration: UInt32
        package var isSync: Bool

        package init(
            offset: Int64, size: UInt32, decodeTime: Int64, compositionOffset: Int32,
            duration: UInt32, isSync: Bool
        ) {
            self.offset = offset
            self.size = size
            self.decodeTime = decodeTime
            self.compositionOffset = compositionOffset
            self.duration = duration
            self.isSync = isSync
        }

        @inlinable package var presentationTime: Int64 { decodeTime + Int64(compositionOffset) }
        @inlinable package var end: Int64 { presentationTime + Int64(duration) }
    }

    package var header: TrackHeader
    /// The sample entry's code, such as `avc1`.
    package var code: FourCC
    /// Nil when its samples cannot be read.
    package var format: FormatDescription?
    package var edits: [EditListBox.Entry]
    /// In decode order. PCM: one sample a chunk or run.
    package var samples: [Sample] = []

    package var id: UInt32 { header.id }
    package var timescale: Int32 { header.timescale }
    package var isEnabled = true
    /// Why its samples cannot be read, a half-sentence; nil: they can.
    package var obstacle: String?
    /// The box with Dolby Vision's configuration; empty: there is none.
    package var dolbyVision: [UInt8] = []
    /// How long its header says that the samples last (ticks; 0: it does not).
    package var statedDuration: Int64 = 0
    /// Text tracks that hold this one's chapters.
    package var chapterTracks: Set<UInt32> = []
    /// Tracks that hold its time code, the first one foremost.
    var timeCodeTracks: [UInt32] = []
    /// What it says as a track of time code itself; nil: it is none.
    var timeCode: TimeCodeEntry?

    /// Where movie time zero is in track time, when one span follows at most one empty edit.
    package var movieShift: Int64 {
        guard let shown = edits.first(where: { $0.mediaTime != nil })?.mediaTime else { return 0 }
        return shown
    }

    /// End of what the samples show (track time, ticks).
    package var mediaEnd: Int64 { samples.lazy.map(\.end).max() ?? 0 }

    /// From movie time zero to the track's end (seconds).
    package func duration(movieTimescale: Int32) -> MediaTime {
        let open = edits.last.map { $0.duration == 0 && $0.mediaTime != nil } ?? true
        if open {
            let end = mediaEnd - movieShift
            return MediaTime(value: max(0, end), timescale: timescale)
        }
        var total: UInt64 = 0
        for edit in edits { total = total.addingReportingOverflow(edit.duration).partialValue }
        let stated = MediaTime(value: Int64(clamping: total), timescale: movieTimescale)
        return endOfSamples(near: stated) ?? stated
    }

    /// Where the last frame or audio ends, if that is less than a tick of the movie from `stated`: edits are
    /// rounded to those, and what is a thousandth too long would show the last frame once more, and
    /// end the audio with silence that the file does not have.
    private func endOfSamples(near stated: MediaTime) -> MediaTime? {
        guard format?.video != nil || format?.audio != nil, let edit = edits.last, edit.rate != 0,
            let media = edit.mediaTime,
            let begin = try? stated.adding(
                MediaTime(value: -Int64(clamping: edit.duration), timescale: stated.timescale)),
            let end = try? MediaTime(value: mediaEnd - media, timescale: timescale)
                .adding(begin.reduced),
            let difference = try? end.adding(-stated)
        else { return nil }
        let tick = MediaTime(value: 1, timescale: stated.timescale)
        return -tick < difference && difference < tick ? end : nil
    }
}
