internal import LibAV
internal import Media
internal import Reading

/// Finds out whether a film is made of whole coded samples, and of which; else says what is in the way.
struct CopyPlanner {
    /// What is copied, in order of time.
    struct Copies {
        var pictures: [Piece] = []
        var sounds: [Piece] = []
    }

    /// A span of a source on the timeline.
    struct Piece {
        var segment: TrackSegment
        let asset: Asset
        let track: AssetTrack

        var format: FormatDescription? { track.format }

        var span: ExportPlan.Span {
            ExportPlan.Span(
                range: segment.timeRange,
                work: .copy(
                    MediaSource(path: asset.path, trackID: track.id),
                    from: segment.mapping.source.start))
        }

        /// As far as one can say without looking (bytes).
        var bytes: Int64 {
            let share =
                segment.timeRange.duration.approximateSeconds
                / max(0.001, track.duration.approximateSeconds)
            return Int64(Double(track.bytes) * min(1, share))
        }

        /// For messages: the file, and where in the film.
        var name: String {
            let file = asset.path.split(separator: "/").last.map(String.init) ?? asset.path
            return "\(file) at \(segment.timeRange.start.spoken) of the film"
        }
    }

    let film: Film
    let range: MediaTimeRange
    let shelf: SourceShelf

    /// - Throws: `unsupported`, or `invalid-setting` for what was asked of the film, naming the first thing that
    ///   cannot be copied and why.
    func copies() throws(MediaError) -> Copies {
        do throws(Obstacle) {
            var copies = Copies()
            if let frames = film.videoComposition {
                copies.pictures = try pieces(.video)
                try check(frames, copies.pictures)
            }
            copies.sounds = try copiedSounds()
            guard !(copies.pictures.isEmpty && copies.sounds.isEmpty) else {
                throw refusal("the film", "there is nothing in it that could be copied")
            }
            return copies
        } catch {
            throw error.error
        }
    }

    // MARK: Pieces

    /// What is heard, where it is copied.
    func copiedSounds() throws(Obstacle) -> [Piece] {
        let sounds = try pieces(.audio)
        try checkMix(sounds)
        return sounds
    }

    private func pieces(_ type: MediaType) throws(Obstacle) -> [Piece] {
        let segments = film.composition.tracks(of: type).flatMap(\.segments)
            .filter { !$0.isEmpty && range.intersection($0.timeRange) != nil }
            .sorted { $0.start < $1.start }
        var pieces: [Piece] = []
        for segment in segments {
            guard let source = segment.source else { continue }
            let (asset, track) = try track(source)
            let piece = Piece(
                segment: segment.part(range.start.timelineTicks, range.end.timelineTicks),
                asset: asset, track: track)
            try check(piece, whole: segment)
            guard let last = pieces.last else {
                pieces.append(piece)
                continue
            }
            guard piece.segment.start >= last.segment.end else {
                throw refusal(
                    piece.name,
                    type == .video
                        ? "another clip is shown at the same time, and a transition or an overlay has to be rendered"
                        : "other audio is heard at the same time, and a mix has to be encoded",
                    isAsked: true)
            }
            if last.segment.continues(with: piece.segment) {
                pieces[pieces.count - 1].segment = last.segment.joined(with: piece.segment)
            } else {
                try checkFormat(piece, after: pieces[0])
                pieces.append(piece)
            }
        }
        return pieces
    }

    private func check(_ piece: Piece, whole: TrackSegment) throws(Obstacle) {
        guard !piece.asset.isGenerated else {
            throw refusal(piece.name, "it is generated, and no file has it")
        }
        guard !piece.asset.isSequence else {
            throw refusal(piece.name, "pictures are not coded as a movie is")
        }
        if let what = whole.oddity {
            throw refusal(
                piece.name, "\(what), for which it has to be made anew", isAsked: true)
        }
        let natural = whole.mapping.source.duration
            .ticks(per: Composition.timescale, rounding: .down)
        // a cut may have moved an end by part of a tick
        guard abs(natural - whole.ticks) <= 1 else {
            throw refusal(
                piece.name, "it plays at another speed, for which it has to be made anew",
                isAsked: true)
        }
        guard !piece.track.isStill, !piece.track.isAnimation else {
            throw refusal(piece.name, "a picture or an animation is not coded as a movie is")
        }
        guard piece.format != nil else {
            throw refusal(piece.name, piece.track.reasonUnread)
        }
    }

    private func checkFormat(_ piece: Piece, after first: Piece) throws(Obstacle) {
        guard let format = piece.format, let own = first.format, !format.joins(own) else { return }
        throw refusal(
            piece.name,
            "\(format.difference(from: own)), unlike \(first.name), and a track has one kind of "
                + "samples")
    }

    // MARK: Frames

    private func check(
        _ frames: VideoComposition, _ pieces: [Piece]
    ) throws(Obstacle) {
        guard frames.compositor == nil else {
            throw refusal(
                "the film", "its frames are made by a compositor of its own", isAsked: true)
        }
        guard frames.animation == nil else {
            throw refusal(
                "the film", "its titles or watermark have to be drawn into the frames",
                isAsked: true)
        }
        guard frames.burntTracks.isEmpty else {
            throw refusal(
                "the film", "its subtitles have to be drawn into the frames", isAsked: true)
        }
        var shown = range.start.timelineTicks
        for piece in pieces {
            guard piece.segment.start <= shown else { throw gap(shown) }
            shown = piece.segment.end
            try check(piece, in: frames, isFirst: piece.segment.start == pieces[0].segment.start)
        }
        // less than a frame may be missing where audio lasts a little longer
        guard shown + frames.frameDuration.timelineTicks > range.end.timelineTicks else {
            throw gap(shown)
        }
        guard let first = pieces.first,
            frames.frameDuration == FrameRate.film(of: first.track).frameDuration
        else {
            throw refusal(
                "the film", "it is to have another frame rate than its first clip",
                isAsked: true)
        }
    }

    private func gap(_ tick: Int64) -> Obstacle {
        refusal(
            "the film",
            "no clip is shown at \(MediaTime.timeline(tick).spoken), and the background has to be "
                + "rendered")
    }

    /// - Parameter isFirst: whether the film's size would be its own, had no other been asked for.
    private func check(
        _ piece: Piece, in pictures: VideoComposition, isFirst: Bool
    ) throws(Obstacle) {
        guard let format = piece.format?.video else { return }
        let own = format.uprightPixelSize
        let frame = pictures.scaledSize
        guard own.width & ~1 == frame.width & ~1, own.height & ~1 == frame.height & ~1 else {
            throw refusal(
                piece.name,
                "its \(own.width)x\(own.height) would have to be brought to the film's "
                    + "\(frame.width)x\(frame.height)", isAsked: isFirst)
        }
        let span = piece.segment.timeRange
        for instruction in pictures.instructions
        where instruction.timeRange.intersection(span) != nil {
            guard instruction.shownLayers.allSatisfy(\.isPlain) else {
                throw refusal(
                    piece.name,
                    "it is moved, cut, masked, blurred, faded, keyed or graded, which has to be rendered",
                    isAsked: true)
            }
        }
    }

    // MARK: Audio

    private func checkMix(_ pieces: [Piece]) throws(Obstacle) {
        guard let first = pieces.first else { return }
        let mix = film.audioMix
        if let level = mix.levels.first {
            throw refusal(
                "the audio of \(level.name)", "the loudness that is asked for has to be rendered",
                isAsked: true)
        }
        guard mix.ducking.isEmpty, mix.loudness == nil else {
            throw refusal(
                "the audio of the film",
                "a ducking or loudness that is asked for has to be rendered",
                isAsked: true)
        }
        for input in mix.inputs {
            guard let reason = input.reasonToRender else { continue }
            let track = film.composition.track(input.trackID)
            let piece = pieces.first { piece in
                track?.segments.contains {
                    piece.segment.timeRange.intersection($0.timeRange) != nil
                        && $0.source == piece.segment.source
                } ?? false
            }
            throw refusal(
                "the audio of \((piece ?? first).name)", reason, isAsked: true)
        }
    }

    /// - Parameter isAsked: whether it is what was asked of the film, and not how the clips are coded.
    private func refusal(_ what: String, _ reason: String, isAsked: Bool = false) -> Obstacle {
        .refused(what: what, because: reason, isAsked: isAsked)
    }

    private func track(_ source: MediaSource) throws(Obstacle) -> (Asset, AssetTrack) {
        do throws(MediaError) { return try shelf.track(source) } catch { throw .failed(error) }
    }

    /// What is in the way of a copy.
    enum Obstacle: Error {
        /// Something that has to be made anew.
        case refused(what: String, because: String, isAsked: Bool)
        /// A file that cannot be read.
        case failed(MediaError)

        var error: MediaError {
            switch self {
            case .failed(let error): error
            case .refused(let what, let reason, let isAsked):
                MediaError(
                    code: isAsked ? .invalidSetting : .unsupported, subject: what,
                    message:
                        "Cannot copy \(what): \(reason); leave out what asks for copies alone (--copy only, "
                        + "--codec copy, --preset passthrough).")
            }
        }
    }
}

extension TrackSegment {
    /// What of the segment lies between two ticks of the timeline.
    fileprivate func part(_ from: Int64, _ to: Int64) -> TrackSegment {
        var part = self
        if to < part.end, to > part.start { part = part.cut(at: to).0 }
        if from > part.start, from < part.end { part = part.cut(at: from).1 }
        return part
    }
}

extension LayerInstruction {
    /// Whether the frame is shown as it is, where it is.
    fileprivate var isPlain: Bool {
        isUntouched && transforms.allSatisfy { $0.start.isNone && $0.end.isNone }
    }
}

extension Transform2D {
    /// Whether nothing moves by more than what makes an odd size even.
    fileprivate var isNone: Bool {
        let scale = max(abs(a - 1), abs(d - 1))
        return scale < 0.02 && abs(b) < 1e-9 && abs(c) < 1e-9 && max(abs(tx), abs(ty)) < 1.01
    }
}

extension AudioMixInput {
    /// Why the track cannot sound as it is coded, a half-sentence; nil: it can.
    fileprivate var reasonToRender: String? {
        if let treatment = treatment.named { return "its \(treatment) cannot be copied" }
        let isPlain =
            volume == 1 && pan == 0 && tap == nil
            && volumeRamps.allSatisfy { $0.startVolume == 1 && $0.endVolume == 1 }
            && panRamps.allSatisfy { $0.startPan == 0 && $0.endPan == 0 }
        return isPlain ? nil : "its volume, pan or effect has to be rendered"
    }
}

extension FormatDescription {
    /// For messages: what is different.
    fileprivate func difference(from other: FormatDescription) -> String {
        switch (self, other) {
        case (.video(let own), .video(let first)):
            if own.codec != first.codec { return "it is \(own.codec?.rawValue ?? "not coded")" }
            if own.uprightPixelSize != first.uprightPixelSize {
                return "it is \(own.uprightPixelSize.width)x\(own.uprightPixelSize.height)"
            }
            if own.orientation != first.orientation { return "it lies otherwise" }
            if own.color != first.color { return "its colours are others" }
            if own.fieldOrder != first.fieldOrder, own.codec?.statesFields == false {
                return "its container states other fields"
            }
            return "it was encoded with other settings"
        case (.audio(let own), .audio(let first)):
            if own.codec != first.codec { return "its audio is \(own.codec?.rawValue ?? "raw")" }
            if own.sampleRate != first.sampleRate { return "its audio has \(own.sampleRate) Hz" }
            if own.channels != first.channels {
                return own.channels == 1 ? "it is mono" : "its audio has \(own.channels) channels"
            }
            return "its audio was encoded with other settings"
        default: return "it is of another kind"
        }
    }
}
