internal import Media

extension Film {
    /// Up to when two films are one and the same: each frame and each sample before it is equal in both (on the
    /// timeline; zero: they may differ from their beginning on). Descriptions are compared and nothing is decoded, so
    /// that the films may agree for longer; sources that both name are taken to have the same frames.
    ///
    /// Chapters, text and metadata are no part of it.
    func agreement(with other: Film) -> MediaTime {
        guard startTimeCode == other.startTimeCode, range == other.range else { return .zero }
        var instant = min(composition.duration, other.composition.duration)
        let (pairs, begin) = composition.pairs(with: other.composition)
        instant = min(instant, begin)
        // these are made of all of the audio
        guard audioMix.isMadeInOrder, other.audioMix.isMadeInOrder else { return .zero }
        for (own, its) in pairs {
            instant = min(instant, own.agreement(with: its))
            guard own.mediaType == .audio else { continue }
            let inputs = (audioMix.input(forTrack: own.id), other.audioMix.input(forTrack: its.id))
            instant = min(instant, inputs.0.agreement(with: inputs.1))
        }
        switch (videoComposition, other.videoComposition) {
        case (let own?, let other?): return min(instant, own.agreement(with: other))
        case (nil, nil): return instant
        default: return .zero
        }
    }
}

extension Composition {
    /// Tracks that begin as one of the other composition, whatever their numbers.
    /// - Returns: them, in order, and when one that has no other begins.
    fileprivate func pairs(
        with other: Composition
    ) -> (pairs: [(CompositionTrack, CompositionTrack)], begin: MediaTime) {
        var left = other.tracks.filter(\.mediaType.setsLength)
        var pairs: [(CompositionTrack, CompositionTrack)] = []
        var begin = Self.longestDuration
        for track in tracks where track.mediaType.setsLength {
            if let index = left.firstIndex(where: { $0.isTwin(of: track) }) {
                pairs.append((track, left.remove(at: index)))
            } else {
                begin = min(begin, track.begin)
            }
        }
        return (pairs, left.reduce(begin) { min($0, $1.begin) })
    }
}

extension CompositionTrack {
    /// When something of it is first shown or heard.
    fileprivate var begin: MediaTime {
        segments.first { !$0.isEmpty }?.timeRange.start ?? Composition.longestDuration
    }

    fileprivate func isTwin(of other: CompositionTrack) -> Bool {
        guard mediaType == other.mediaType else { return false }
        // frames are asked for by the track's number
        guard mediaType != .video || id == other.id else { return false }
        guard let own = segments.first(where: { !$0.isEmpty }),
            let its = other.segments.first(where: { !$0.isEmpty })
        else { return segments.allSatisfy(\.isEmpty) && other.segments.allSatisfy(\.isEmpty) }
        return own == its || own.begins(as: its)
    }

    fileprivate func agreement(with other: CompositionTrack) -> MediaTime {
        for (own, its) in zip(segments, other.segments) where own != its {
            guard own.begins(as: its) else { return min(own.timeRange.start, its.timeRange.start) }
            return min(own.timeRange.end, its.timeRange.end)
        }
        // one that has ended shows nothing, as one that is empty
        let rest = [self, other].flatMap { track in
            track.segments.dropFirst(min(segments.count, other.segments.count))
        }
        return rest.first { !$0.isEmpty }?.timeRange.start ?? Composition.longestDuration
    }
}

extension TrackSegment {
    /// Whether it is the other one, but for its end: at the speed of its source.
    fileprivate func begins(as other: TrackSegment) -> Bool {
        source == other.source && start == other.start && play == other.play
            && play == SegmentPlay() && isNatural && other.isNatural
            && (isEmpty || mapping.source.start == other.mapping.source.start)
    }

    private var isNatural: Bool {
        let ticks = mapping.source.duration.ticks(per: Composition.timescale, rounding: .down)
        return abs(ticks - self.ticks) <= 1
    }
}

extension VideoComposition {
    fileprivate func agreement(with other: VideoComposition) -> MediaTime {
        guard compositor == nil, other.compositor == nil, renderSize == other.renderSize,
            renderScale == other.renderScale, frameDuration == other.frameDuration,
            color == other.color, masteringDisplay == other.masteringDisplay,
            contentLight == other.contentLight, pixelFormat == other.pixelFormat,
            layerTracks == other.layerTracks, burntTracks.isEmpty, other.burntTracks.isEmpty
        else { return .zero }
        var instant = Composition.longestDuration
        switch (animation, other.animation) {
        case (nil, nil): break
        case (let own?, let its?): instant = own.agreement(with: its)
        case (let own, let its):
            instant = (own ?? its)?.sublayers.map(\.start).min() ?? .zero
        }
        for (own, its) in zip(instructions, other.instructions) where own != its {
            var longer = own
            longer.timeRange = its.timeRange
            guard longer == its, own.timeRange.start == its.timeRange.start else {
                return min(instant, own.timeRange.start, its.timeRange.start)
            }
            return min(instant, own.timeRange.end, its.timeRange.end)
        }
        return instant
    }
}

extension Layer {
    /// When it is first drawn.
    fileprivate var start: MediaTime { timeRange?.start ?? .zero }

    /// As the outermost layer of films.
    fileprivate func agreement(with other: Layer) -> MediaTime {
        var (own, its) = (self, other)
        (own.sublayers, its.sublayers) = ([], [])
        guard own == its else { return .zero }
        var instant = Composition.longestDuration
        for index in 0..<max(sublayers.count, other.sublayers.count) {
            let pair = [sublayers, other.sublayers].compactMap {
                $0.indices.contains(index) ? $0[index] : nil
            }
            if pair.count == 2, pair[0] == pair[1] { continue }
            for layer in pair { instant = min(instant, layer.start) }
        }
        return instant
    }
}

extension AudioMix {
    /// Whether each sample is made without those that come long after it.
    var isMadeInOrder: Bool {
        ducking.isEmpty && levels.isEmpty && loudness == nil
            && inputs.allSatisfy { $0.tap == nil && $0.treatment.gate == nil }
    }
}

extension AudioMixInput {
    fileprivate func agreement(with other: AudioMixInput) -> MediaTime {
        guard volume == other.volume, pan == other.pan, pitch == other.pitch,
            treatment == other.treatment
        else { return .zero }
        return min(
            volumeRamps.agreement(with: other.volumeRamps, usual: 1) { ramp in
                RampBeginning(
                    ramp.timeRange, ramp.startVolume, isLevel: ramp.startVolume == ramp.endVolume)
            },
            panRamps.agreement(with: other.panRamps, usual: 0) { ramp in
                RampBeginning(ramp.timeRange, ramp.startPan, isLevel: ramp.startPan == ramp.endPan)
            })
    }
}

/// What a ramp is at its start.
private struct RampBeginning {
    let range: MediaTimeRange
    let value: Double
    /// Whether it stays so until its end.
    let isLevel: Bool

    init(_ range: MediaTimeRange, _ value: Double, isLevel: Bool) {
        (self.range, self.value, self.isLevel) = (range, value, isLevel)
    }

    /// Up to when it is as another one, of which one begins.
    func agreement(with other: RampBeginning) -> MediaTime {
        guard isLevel, other.isLevel, value == other.value, range.start == other.range.start else {
            return min(range.start, other.range.start)
        }
        return min(range.end, other.range.end)
    }
}

extension Array where Element: Equatable {
    /// Of ramps in order of time; between two of them the end of the earlier one holds.
    /// - Parameters:
    ///   - usual: the value where there is none.
    ///   - beginning: of a ramp.
    fileprivate func agreement(
        with other: Self, usual: Double, _ beginning: (Element) -> RampBeginning
    ) -> MediaTime {
        for index in 0..<Swift.max(count, other.count) {
            let pair = [self, other].compactMap {
                $0.indices.contains(index) ? $0[index] : nil
            }
            if pair.count == 2, pair[0] == pair[1] { continue }
            let begins = pair.map(beginning)
            // the first one's value holds before it, too
            let values = Set(begins.map(\.value) + (pair.count == 1 ? [usual] : []))
            if index == 0, values.count > 1 { return .zero }
            return begins.count == 2 ? begins[0].agreement(with: begins[1]) : begins[0].range.start
        }
        return Composition.longestDuration
    }
}
