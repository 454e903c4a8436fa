internal import Media
internal import Writing

/// What a take is made of: its sources, the movie's tracks, and which source goes into which track.
struct TakePlan: Sendable {
    /// Microphones that share a track.
    struct Mix: Sendable {
        /// Their indices in the recorder's list.
        var sources: [Int]
        /// Their channels (counts), in the same order.
        var channels: [Int]
        /// The movie's track.
        var track: Int
        /// What the track is encoded from.
        var format: AudioFormat
    }

    /// One entry a source, in the recorder's order.
    var sources: [TrackPlan]
    /// One entry a track of the movie; the index in a `TrackPlan` is the track's.
    var tracks: [TrackPlan]
    /// The track of each source.
    var trackOfSource: [Int]
    /// `nil` when each microphone has a track of its own.
    var mix: Mix?

    /// Each source is a track.
    init(_ sources: [TrackPlan]) {
        self.sources = sources
        tracks = sources
        trackOfSource = Array(sources.indices)
    }

    /// The first source of a track.
    func source(ofTrack track: Int) -> Int { trackOfSource.firstIndex(of: track) ?? 0 }

    /// Puts all microphones into one track, at the place of the first; a single one stays as it is.
    ///
    /// The track has the highest of their rates (48 kHz for Opus, which knows few) and the most of their
    /// channels, so that nothing is lost before the sum.
    mutating func mixMicrophones(_ output: AudioOutputSettings) {
        let microphones = sources.filter { $0.format.audio != nil }
        let formats = microphones.compactMap(\.format.audio)
        guard microphones.count > 1, let first = microphones.first,
            let channels = formats.map(\.channels).max(),
            let highest = formats.map(\.sampleRate).max()
        else { return }
        let rate = output.codec == .opus ? 48_000 : highest
        let format = AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: channels)
        let names = microphones.map(\.origin.name).joined(separator: " + ")
        tracks = []
        for (index, source) in sources.enumerated() {
            if source.format.audio != nil, index != first.index {
                trackOfSource[index] = trackOfSource[first.index]
                continue
            }
            var track = source
            track.index = tracks.count
            if index == first.index {
                track.origin = SourceOrigin(
                    identifier: microphones.map(\.origin.identifier).joined(separator: " + "),
                    name: names, driver: "mix")
                track.format = .audio(format)
                track.output = .audio(output)
            }
            trackOfSource[index] = tracks.count
            tracks.append(track)
        }
        mix = Mix(
            sources: microphones.map(\.index), channels: formats.map(\.channels),
            track: trackOfSource[first.index], format: format)
    }

    /// What a source's feed must bring its samples to.
    func feedFormat(ofSource index: Int) -> FormatDescription {
        guard let mix, mix.sources.contains(index), let own = sources[index].format.audio else {
            return sources[index].format
        }
        return .audio(
            AudioFormat(
                coding: .raw(.float32), sampleRate: mix.format.sampleRate, channels: own.channels))
    }
}
