internal import LibAV
internal import Media
internal import Movie
internal import Reading
internal import Writing

/// What an earlier run of the same export left: its whole groups of frames are taken over.
struct UnfinishedExport: Sendable {
    let part: EarlierPart

    /// Whole groups of frames (count of frames).
    var frames: Int64 { part.frames }

    /// Looks for what can be resumed, and removes what cannot.
    /// - Throws: `in-use` when another export is writing there.
    static func take(
        over output: TemporaryOutput, plan: ExportPlan
    ) throws(MediaError) -> UnfinishedExport? {
        try EarlierPart.take(over: output) { frames(in: $0, plan) }.map(UnfinishedExport.init)
    }

    /// Whether its frames need the parameter sets of a record and no others: an encoder of another version may write
    /// other ones.
    func isCoded(with configuration: [UInt8]) -> Bool {
        guard let demuxer = try? Demuxer(path: part.path) else { return false }
        return demuxer.tracks.contains { $0.format.video?.codecConfiguration == configuration }
    }

    /// Appends the taken frames' samples.
    func copy(into video: SampleBufferReceiver) throws(MediaError) {
        let demuxer = try Demuxer(path: part.path)
        var left = frames
        while left > 0, case .sample(let index, let sample) = try demuxer.next() {
            guard demuxer.tracks[index].format.mediaType == .video else { continue }
            try video.appendBlocking(sample)
            left -= 1
        }
    }

    /// Counts the frames before the last sync sample; 0 unless the file is this plan's.
    private static func frames(in path: String, _ plan: ExportPlan) -> Int64 {
        guard plan.canBeResumed, let asset = try? Asset.load(path),
            asset.metadata.values[ExportInputs.digestKey] == plan.digest,
            let demuxer = try? Demuxer(path: path),
            let track = demuxer.tracks.first(where: { $0.format.mediaType == .video })
        else { return 0 }
        var count: Int64 = 0
        var whole: Int64 = 0
        // a torn end is what a crash leaves: what can be read counts
        while case .sample(let index, let sample) = try? demuxer.next() {
            guard index == track.index else { continue }
            if sample.isSync {
                let expected = (plan.frameDuration * count)
                    .ticks(per: track.timescale, rounding: .nearest)
                let found = sample.presentationTime.ticks(
                    per: track.timescale, rounding: .nearest)
                // others are decoded behind frames that are shown later (open groups)
                if expected == found { whole = count }
            }
            count += 1
        }
        return whole
    }
}
