public import Media
internal import Movie

extension Asset {
    /// A file of subtitles as an asset with one text track. It is read as a whole and kept in memory. Blocks.
    /// - Parameters:
    ///   - path: SubRip (.srt), WebVTT (.vtt) or SubStation (.ass, .ssa), by what it holds; at most 16 MB and 200,000
    ///     subtitles.
    ///   - encoding: of its bytes, such as "windows-1252"; nil: UTF-8, or as the mark of their order says.
    ///   - delay: how much later than the file says its texts are (seconds; negative: earlier).
    /// - Throws: `no-such-file`, `not-permitted`, `unsupported`, `over-limit`; `invalid-setting` for an encoding that the
    ///   system does not know.
    public static func subtitles(
        _ path: String, encoding: String? = nil, delay: MediaTime = .zero
    ) throws(MediaError) -> Asset {
        try subtitles(path, [SubtitleFile.Request(encoding: encoding, delay: delay)])
    }

    /// The same with a track for each way to read it.
    package static func subtitles(
        _ path: String, _ requests: [SubtitleFile.Request]
    ) throws(MediaError) -> Asset {
        var files: [SubtitleFile] = []
        for request in requests { files.append(try SubtitleFile(path, request)) }
        let tracks = files.enumerated().map { AssetTrack($1, id: $0 + 1) }
        var asset = Asset(
            path: path, container: files.first?.codec.rawValue ?? "", state: .ordinary,
            duration: tracks.map(\.duration).max() ?? .zero, tracks: tracks, pauses: [],
            markers: [], metadata: MovieMetadata(), damagedBytes: 0)
        asset.subtitleFiles = files
        return asset
    }

    /// What a track was read of; nil: it is no file of subtitles.
    package func subtitleFile(of track: AssetTrack) -> SubtitleFile? {
        subtitleFiles.indices.contains(track.id - 1) ? subtitleFiles[track.id - 1] : nil
    }

    /// The track that was read in a way.
    package func subtitleTrack(_ request: SubtitleFile.Request) -> AssetTrack? {
        subtitleFiles.firstIndex { $0.request == request }.map { tracks[$0] }
    }
}

extension AssetTrack {
    fileprivate init(_ file: SubtitleFile, id: Int) {
        var end = MediaTime.zero
        for sample in file.samples {
            end = max(end, sample.presentationTime + (sample.duration ?? .zero))
        }
        self.init(
            id: id, mediaType: .text, format: file.format, codecTag: file.codec.rawValue,
            timescale: SubtitleFile.timescale, duration: end, sampleCount: file.samples.count,
            syncSampleCount: file.samples.count,
            bytes: file.samples.reduce(0) { $0 + Int64($1.block?.count ?? 0) }, edits: [],
            averageRate: nil, frameDurations: nil, language: nil, name: nil, isEnabled: true)
    }
}

extension Asset {
    /// What distinguishes one way to read a file of subtitles from another; nothing of other files.
    package var subtitleReading: String {
        subtitleFiles.isEmpty ? "" : subtitleFiles.map { "\($0.request) \($0.digest)" }.joined()
    }
}
