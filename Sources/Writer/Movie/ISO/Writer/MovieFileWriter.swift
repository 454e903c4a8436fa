package import Media

/// Writes MP4 and QuickTime movies that are playable while they grow and ordinary when finished
/// (see docs/design/recording.md). Thread-bound to the writing thread.
package final class MovieFileWriter: ContainerWriter {
    /// How a file is laid out.
    package struct Options: Sendable, Hashable {
        /// Longest a fragment lasts (seconds; up to 0.5 keeps the loss budget; 0.25).
        package var fragmentInterval: MediaTime
        /// Most sample data in a fragment (bytes; 8 MiB).
        package var fragmentBytes: Int
        /// Whether the index is made durable before the header is overwritten. Only a test that
        /// shows what goes wrong without it turns it off.
        package var barrier: Bool

        package init(
            fragmentInterval: MediaTime = .milliseconds(250), fragmentBytes: Int = 8 << 20,
            barrier: Bool = true
        ) {
            self.fragmentInterval = fragmentInterval
            self.fragmentBytes = fragmentBytes
            self.barrier = barrier
        }
    }

    enum Stage {
        case adding
        /// Begun, but the first `moov` waits for the first samples.
        case begun
        case growing
        case failed
        case closed
    }

    // immutable
    let file: DurableFile
    let container: MovieContainer
    let options: Options

    // owned by the writing thread
    var stage = Stage.adding
    var tracks: [TrackWriter] = []
    var metadata = MovieMetadata()
    var waitingAnnotations: [MovieAnnotation] = []
    var annotations: [MovieAnnotation] = []
    var pendingBytes = 0
    var sequenceNumber: UInt32 = 0
    var headerOffset: Int64 = 0
    var lostSamples = 0
    var finalFormats: [Int: FormatDescription] = [:]
    /// What tracks show that is not simply all of their samples.
    var ownEdits: [Int: TrackEdits] = [:]

    /// - Parameter file: empty, with `MovieFileWriter.gapHeader`; closed by `finish` and `abandon`.
    package init(file: DurableFile, container: MovieContainer, options: Options = Options()) {
        self.file = file
        self.container = container
        self.options = options
    }

    /// What makes readers skip a gap: an oversize `free` box.
    package static let gapHeader: DurableFile.GapHeader = { length in
        var builder = BoxBuilder()
        if length <= Int64(UInt32.max) {
            builder.u32(UInt32(length))
            builder.code("free")
        } else {
            builder.u32(1)
            builder.code("free")
            builder.i64(length)
        }
        return builder.bytes
    }

    package func addTrack(_ track: ContainerTrack) throws(MediaError) -> Int {
        try require([.adding], "add a track to")
        guard track.timescale > 0 else {
            throw MediaError(
                code: .invalidSetting, subject: file.name,
                message: "Cannot add a track to \(file.name): its timescale is "
                    + "\(track.timescale); give ticks per second.")
        }
        let header = try TrackHeader(track, id: UInt32(tracks.count + 1), container: container)
        tracks.append(TrackWriter(track: track, header: header))
        return tracks.count - 1
    }

    package func begin(_ metadata: MovieMetadata) throws(MediaError) {
        try require([.adding], "begin")
        self.metadata = metadata
        stage = .begun
    }

    package func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        try require([.begun, .growing], "append to")
        guard tracks.indices.contains(track) else {
            throw invalid("append to track \(track) of", "it has \(tracks.count)")
        }
        try tracks[track].append(sample, subject: file.name)
        pendingBytes += sample.block?.count ?? 0
        // text goes with the pictures and sound beside it
        if tracks[track].track.format.mediaType == .text { return }
        let length = MediaTime(
            value: tracks[track].pendingLength, timescale: tracks[track].track.timescale)
        if length >= options.fragmentInterval || pendingBytes >= options.fragmentBytes {
            try writeFragment(everything: false)
        }
    }

    package func annotate(_ annotation: MovieAnnotation) throws(MediaError) {
        try require([.begun, .growing], "annotate")
        waitingAnnotations.append(annotation)
    }

    package func flush() throws(MediaError) {
        try require([.begun, .growing], "flush")
        try writeFragment(everything: false)
    }

    package func abandon() {
        guard stage != .closed else { return }
        stage = .closed
        file.close()
    }

    package var holdsSamples: Bool { sequenceNumber > 0 }

    /// Memory the index holds (bytes).
    package var indexMemory: Int { tracks.reduce(0) { $0 + $1.index.memory } }

    /// What its tables will take in the file at most (bytes).
    var tableBytes: Int { tracks.reduce(0) { $0 + $1.index.tableBytes } }

    func require(_ stages: Set<Stage>, _ what: String) throws(MediaError) {
        if stages.contains(stage) { return }
        if stage == .failed, let failure = file.failure { throw failure }
        throw invalid(what, "it is \(stage)")
    }

    private func invalid(_ what: String, _ why: String) -> MediaError {
        MediaError(
            code: .invalidState, subject: file.name,
            message: "Cannot \(what) \(file.name): \(why); the calls are out of order.")
    }
}
