internal import Media

/// The samples of a file of subtitles, which are in memory. Thread-bound.
final class SubtitleTrack: CodedTrack {
    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps = false
    let decodeTimes = DecodeTimes.inOrder
    private let samples: [SampleBuffer]

    // owned by the calling thread
    private var position = 0

    init(_ file: SubtitleFile) {
        format = file.format
        line = .identity(timescale: SubtitleFile.timescale)
        samples = file.samples
    }

    func next() -> SampleBuffer? {
        guard position < samples.count else { return nil }
        defer { position += 1 }
        return samples[position]
    }

    func seek(to media: Int64) -> Bool {
        position = (place(after: media) ?? 1) - 1
        return position == 0
    }

    func syncTime(before media: Int64) -> Int64? {
        place(after: media).map { samples[$0 - 1].presentationTime.value }
    }

    /// The first sample that begins after an instant; nil where none begins before.
    private func place(after media: Int64) -> Int? {
        let next = samples.firstIndex { $0.presentationTime.value > media } ?? samples.count
        return next > 0 ? next : nil
    }

    func close() {}
}
