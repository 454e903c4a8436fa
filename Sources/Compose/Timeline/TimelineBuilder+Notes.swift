internal import LibAV
internal import Media
internal import Reading

extension TimelineBuilder {
    /// Frames per second of a film's audio unless the export sets another (Hz).
    static let audioRate = 48_000

    func notes(
        _ clips: [PlacedClip], _ sounds: [PlacedAudio], _ video: VideoComposition?,
        until end: Int64
    ) -> [ConformNote] {
        var notes: [ConformNote] = []
        for clip in clips {
            // what is generated is as the film is
            if clip.item.generator == nil, let video, let part = clip.picture,
                let format = clip.format
            {
                notes += pictureNotes(clip, part.track, format, video)
            }
            for voice in clip.voices {
                notes += soundNotes(
                    clip.voices.count == 1
                        ? clip.name : "\(clip.name), track \(voice.part.track.id)",
                    voice.part.track.format?.audio)
            }
            if !clip.isOverlay { notes += textNotes(clip) }
        }
        for sound in sounds {
            notes += soundNotes(sound.name, sound.track.format?.audio)
            if sound.hasShortFade {
                let text =
                    "it fades out over \(sound.item.fadeOut.spoken), all that the film has of it"
                notes.append(ConformNote(item: sound.name, kind: .length, text: text))
            }
        }
        if let last = clips.last(where: { !$0.isOverlay }), timeline.gapAtEnd > .zero {
            notes.append(
                ConformNote(
                    item: last.name, kind: .length,
                    text: "the background is shown for \(timeline.gapAtEnd.spoken) after it"))
        }
        return notes
    }

    private func pictureNotes(
        _ clip: PlacedClip, _ track: AssetTrack, _ format: VideoFormat, _ video: VideoComposition
    ) -> [ConformNote] {
        var texts: [(ConformNote.Kind, String)] = []
        let turn = format.orientation
        if turn != .upright {
            let mirrored = turn.isMirrored ? "mirrored and " : ""
            texts.append(
                (
                    .orientation,
                    "\(mirrored)rotated by \(turn.rotation.rawValue)° clockwise, because the file says "
                        + "that its frames lie so"
                ))
        }
        let aspect = format.pixelAspect
        if aspect.horizontal != aspect.vertical {
            texts.append(
                (
                    .pixelAspect,
                    "its pixels are \(aspect.horizontal):\(aspect.vertical), so it is stretched to "
                        + "square ones"
                ))
        }
        let (size, frame) = (format.uprightPixelSize, video.renderSize)
        if clip.isFramed, let layout = clip.layout(in: frame, timeline.settings.fit) {
            let (width, height) = (
                Int(layout.shown.width.rounded()), Int(layout.shown.height.rounded())
            )
            if size != PixelSize(width: width, height: height) {
                texts.append(
                    (
                        .size,
                        "\(size.width)x\(size.height) is shown at \(width)x\(height) in the film's "
                            + "\(frame.width)x\(frame.height)"
                            + (clip.item.keyframes.contains(where: \.givesShape) ? " at first" : "")
                    ))
            }
        } else if size != frame {
            let fit = clip.fit(timeline.settings.fit)
            texts.append(
                (
                    .size,
                    "\(size.width)x\(size.height) is fitted into the film's \(frame.width)x"
                        + "\(frame.height) (\(fit.rawValue))"
                ))
        }
        if clip.wantedMotion != .none {
            texts.append((.motion, "it is panned or zoomed slowly while it shows"))
        }
        texts += rateNote(track, video) + colorNotes(track, format, video)
        return texts.map { ConformNote(item: clip.name, kind: $0.0, text: $0.1) }
    }

    private func rateNote(
        _ track: AssetTrack, _ video: VideoComposition
    ) -> [(ConformNote.Kind, String)] {
        if track.isStill { return [] }
        let film = FrameRate(
            video.frameDuration.timescale, per: Int32(clamping: video.frameDuration.value))
        var notes: [(ConformNote.Kind, String)] = []
        if track.isInterlaced, track.format?.video?.codec != .hevc, Deinterlacer.isAvailable {
            // times that count frames have none for second fields
            let isFine = track.timescale >= 600
            notes.append(
                (
                    .fields,
                    "frames that are interlaced are made whole"
                        + (isFine
                            ? ", each field at its time: a film of twice the frame rate shows all fields"
                            : ", each of its first field")
                ))
        }
        if track.hasVariableRate {
            return notes + [
                (.rate, "its variable frame rate is shown at the film's \(film) a second")
            ]
        }
        let own: FrameRate
        if track.isAnimation, let steps = track.frameDurations,
            steps.lowerBound == steps.upperBound, case let step = steps.lowerBound.reduced,
            step.value > 0
        {
            // frames that last whole numbers of the film's come at their times
            let (length, frame) = (
                Int128(step.value) * Int128(video.frameDuration.timescale),
                Int128(video.frameDuration.value) * Int128(step.timescale)
            )
            guard !length.isMultiple(of: frame) else { return notes }
            own = FrameRate(step.timescale, per: Int32(clamping: step.value))
        } else {
            own = FrameRate.film(of: track)
        }
        guard own != film else { return notes }
        return notes + [(.rate, "\(own) frames a second are shown at the film's \(film)")]
    }

    private func colorNotes(
        _ track: AssetTrack, _ format: VideoFormat, _ video: VideoComposition
    ) -> [(ConformNote.Kind, String)] {
        var texts: [(ConformNote.Kind, String)] = []
        var own = ColorDescription.target(for: format)
        let isRGB = format.color.matrix == 0
        // RGB has no matrix, and pictures that state no primaries are taken to have the film's
        if isRGB { own.matrix = video.color.matrix }
        if format.color.primaries == 2, isRGB || format.color.transfer == 13 {
            own.primaries = video.color.primaries
        }
        if (own.matrix, own.primaries) != (video.color.matrix, video.color.primaries) {
            texts.append(
                (
                    .color,
                    "\(own.spoken) colours are converted to the film's \(video.color.spoken)"
                ))
        }
        if let film = video.color.rangeName, own.transfer != video.color.transfer {
            texts.append(
                (.color, "\(own.rangeName ?? "SDR") is converted to the film's \(film)"))
        }
        // JPEG is full range where nothing is said; RGB has no other, and needs no mention
        let isFull =
            format.color.range == .full
            || format.codec == .mjpeg && format.color.range == .unspecified
        if isFull, !isRGB, video.color.range == .limited {
            texts.append((.range, "full range is brought to limited range, as films have it"))
        }
        if !track.dolbyVision.isEmpty {
            texts.append((.light, "its Dolby Vision configuration is left out"))
        }
        if track.hasHDR10Plus {
            texts.append((.light, "its HDR10+ metadata is left out"))
        }
        let depth = video.pixelFormat.bitDepth
        // what pictures have is known when they are decoded
        if track.isDeep != (depth > 8), !track.isStill || track.isDeep {
            texts.append(
                (
                    .depth,
                    "\(track.isDeep ? "more than 8" : "8") bits are brought to the film's \(depth)"
                ))
        }
        return texts
    }

    private func soundNotes(_ name: String, _ format: AudioFormat?) -> [ConformNote] {
        guard let format else { return [] }
        var notes: [ConformNote] = []
        if format.sampleRate != Self.audioRate {
            notes.append(
                ConformNote(
                    item: name, kind: .sampleRate,
                    text: "audio at \(format.sampleRate) Hz is resampled to the film's "
                        + "\(Self.audioRate) Hz"))
        }
        if format.channels != 2 {
            notes.append(
                ConformNote(
                    item: name, kind: .channels,
                    text: format.channels == 1
                        ? "mono audio is heard on both channels"
                        : "\(format.channels) channels are mixed to two"))
        }
        return notes
    }
}

extension ColorDescription {
    /// For messages.
    fileprivate var spoken: String {
        switch matrix {
        case 1: "BT.709"
        case 5, 6: "BT.601"
        case 9, 10: "BT.2020"
        default: "matrix \(matrix)"
        }
    }
}
