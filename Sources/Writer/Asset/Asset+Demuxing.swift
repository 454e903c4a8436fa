internal import LibAV
internal import Media

extension Asset {
    /// A movie of another container, through libavformat.
    init(demuxing path: String) throws(WriterError) {
        let demuxer: Demuxer
        var counts: [SampleCount]
        do throws(LibAVError) {
            demuxer = try Demuxer(path: path)
            counts = demuxer.tracks.map { _ in SampleCount() }
            while case .sample(let track, let sample) = try demuxer.next() {
                counts[track].add(sample)
            }
        } catch {
            throw WriterError(
                code: error.code == .damagedData ? .damagedFile : .unsupported,
                function: error.function, subject: path, message: error.message)
        }
        let tracks = zip(demuxer.tracks, counts).map { AssetTrack($0, $1) }
        self.init(
            path: path, container: Asset.container(demuxer.containerName),
            // a muxer that was killed has not told the length
            state: demuxer.duration == nil ? .unfinished : .ordinary,
            duration: tracks.map(\.duration).max() ?? .zero, tracks: tracks, pauses: [],
            markers: [], metadata: MovieMetadata(), damagedBytes: 0)
    }

    /// libavformat lists every name a demuxer goes by.
    private static func container(_ names: String) -> String {
        names.hasPrefix("matroska") ? "matroska" : String(names.prefix { $0 != "," })
    }
}

/// What is counted while a file's samples pass.
struct SampleCount {
    private(set) var samples = 0
    private(set) var syncSamples = 0
    private(set) var bytes: Int64 = 0
    private(set) var end: MediaTime?
    private(set) var steps: ClosedRange<MediaTime>?
    private var first: MediaTime?
    private var last: MediaTime?

    mutating func add(_ sample: SampleBuffer) {
        samples += 1
        if sample.isSync { syncSamples += 1 }
        bytes += Int64(sample.block?.count ?? 0)
        let time = sample.decodeTime ?? sample.presentationTime
        if let last, last.timescale == time.timescale, time > last {
            let step = time - last
            steps = min(steps?.lowerBound ?? step, step)...max(steps?.upperBound ?? step, step)
        }
        first = first ?? time
        last = time
        let stop = sample.duration.flatMap { try? sample.presentationTime.adding($0) }
        end = max(end ?? .zero, stop ?? sample.presentationTime)
    }

    /// Pictures per second.
    var rate: Double? {
        guard let first, let last, samples > 1, last > first else { return nil }
        return Double(samples - 1) / (last - first).approximateSeconds
    }
}

extension AssetTrack {
    init(_ track: DemuxedTrack, _ count: SampleCount) {
        let isVideo = track.format.mediaType == .video
        self.init(
            id: track.index + 1, mediaType: track.format.mediaType, format: track.format,
            codecTag: track.format.video?.codec?.rawValue ?? track.format.audio?.codec?.rawValue
                ?? "", timescale: track.timescale, duration: count.end ?? track.duration ?? .zero,
            sampleCount: count.samples, syncSampleCount: count.syncSamples, bytes: count.bytes,
            edits: [], averageRate: isVideo ? count.rate : nil,
            frameDurations: isVideo ? count.steps : nil, language: track.language, name: nil,
            isEnabled: true)
    }
}
