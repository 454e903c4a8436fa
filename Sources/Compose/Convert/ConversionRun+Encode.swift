internal import Media
internal import Movie
internal import Reading
internal import Writing

/// A conversion that encodes some of its tracks; others are copied beside them.
extension ConversionRun {
    func encode(
        _ texts: ConversionTexts, _ groups: ConversionMetadata, _ written: inout Written
    ) throws(MediaError) {
        let (plan, output) = (written.plan, written.draft.output)
        let sources = try openSources(plan)
        defer {
            for source in sources { source.close() }
        }
        let (writer, conversionTracks) = try job.write(output) { () throws(MediaError) in
            try open(plan, sources, (texts, groups), output)
        }
        written.draft.writer = writer
        do throws(MediaError) { try output.begin(writer.file?.keepLock()) } catch {
            written.draft.failure = error
            return
        }
        for case .pictures(let pictures, _, let track) in sources {
            written.size = PixelSize(width: pictures.format.width, height: pictures.format.height)
            if let note = pictures.note { written.notes.append(note) }
            if let note = (pictures.supply as? FilteredFrames)?.note { written.notes.append(note) }
            if aperture(of: pictures, track) == nil, let loss = track.apertureLoss {
                written.notes.append(loss)
            }
        }
        do throws(MediaError) { try run(conversionTracks, writer, plan) } catch {
            written.draft.failure = error
        }
        count(conversionTracks, in: &written)
        for case .pictures(let pictures, _, _) in sources {
            written.filters += (pictures.supply as? FilteredFrames)?.counts ?? []
        }
    }

    /// What an encoded track comes from.
    private enum Source {
        case pictures(ConversionFrames, VideoOutputSettings, AssetTrack)
        case joined(JoinedFrames, AssetTrack)
        case sound(ConversionAudio, AudioOutputSettings, AssetTrack)

        var track: AssetTrack {
            switch self {
            case .pictures(_, _, let track), .sound(_, _, let track), .joined(_, let track): track
            }
        }

        func close() {
            switch self {
            case .pictures(let pictures, _, _): pictures.supply.close()
            case .joined(let joined, _): joined.close()
            case .sound(let sound, _, _): sound.close()
            }
        }
    }

    private func aperture(of pictures: ConversionFrames, _ track: AssetTrack) -> CleanAperture? {
        container.holdsCleanAperture ? pictures.cleanAperture(of: track) : nil
    }

    private func openSources(_ plan: ConversionPlan) throws(MediaError) -> [Source] {
        var sources: [Source] = []
        do throws(MediaError) {
            for track in plan.written {
                switch track.treatment {
                case .encodeVideo(let settings, let size, let rate):
                    let pictures = try ConversionFrames(
                        conversion, track, range: plan.range, size: size, frameRate: rate)
                    sources.append(.pictures(pictures, settings, track.source))
                case .join(let settings, _, _):
                    guard let joint = track.joint else { break }
                    let joined = try JoinedFrames(
                        joint, of: conversion, track, from: plan.range.start, coding: settings)
                    sources.append(.joined(joined, track.source))
                case .encodeAudio(let settings, let rate, let channels):
                    let sound = try ConversionAudio(
                        conversion.asset, track, from: plan.range.start, sampleRate: rate,
                        channels: channels, codec: settings.codec)
                    sources.append(.sound(sound, settings, track.source))
                default: break
                }
            }
        } catch {
            for source in sources { source.close() }
            throw error
        }
        return sources
    }

    /// Creates the file under its temporary name.
    private func open(
        _ plan: ConversionPlan, _ sources: [Source],
        _ timed: (texts: ConversionTexts, groups: ConversionMetadata), _ output: TemporaryOutput
    ) throws(MediaError) -> (AssetWriter, [ConversionTrack]) {
        let writer = try AssetWriter(try configuration(plan, sources, timed, output))
        var conversionTracks: [ConversionTrack] = []
        for source in sources {
            switch source {
            case .pictures(let pictures, var settings, let track):
                settings.cleanAperture = aperture(of: pictures, track)
                conversionTracks.append(
                    ConversionTrack(
                        pictures,
                        try writer.inputReceiver(
                            for: settings, sourceFormat: pictures.format, name: track.name,
                            language: track.language)))
            case .joined(let joined, let track):
                conversionTracks.append(
                    ConversionTrack(
                        joined,
                        try writer.inputReceiver(
                            passingThrough: .video(joined.format), name: track.name,
                            language: track.language)))
            case .sound(let sound, let settings, let track):
                conversionTracks.append(
                    ConversionTrack(
                        sound,
                        try writer.inputReceiver(
                            for: settings, sourceFormat: sound.format, name: track.name,
                            language: track.language)))
            }
        }
        try writer.startSession(atSourceTime: .zero)
        return (writer, conversionTracks)
    }

    private func configuration(
        _ plan: ConversionPlan, _ sources: [Source],
        _ timed: (texts: ConversionTexts, groups: ConversionMetadata), _ output: TemporaryOutput
    ) throws(MediaError) -> AssetWriterConfiguration {
        var configuration = try AssetWriterConfiguration(
            output, as: container, metadata: metadata(in: plan.range), texts: timed.texts.tracks,
            groups: timed.groups.tracks)
        for case .pictures(let pictures, _, _) in sources {
            configuration.videoQueueBytes = pictures.queueBytes
        }
        for (number, source) in sources.enumerated() where !source.track.isDefault {
            configuration.offeredInputs.insert(number)
        }
        for (number, track) in plan.written.enumerated() where track.treatment == .copy {
            configuration.copiedTracks[number] = track.copied(
                of: conversion.asset, from: plan.range.start)
        }
        return configuration
    }

    private func run(
        _ conversionTracks: [ConversionTrack], _ writer: AssetWriter, _ plan: ConversionPlan
    ) throws(MediaError) {
        for chapter in conversion.chapters(in: plan) {
            try writer.mark(chapter.title, at: chapter.time)
        }
        while let conversionTrack = conversionTracks.filter({ $0.due != nil })
            .min(by: { $0.due ?? .max < $1.due ?? .max })
        {
            try job.checkCancelled(path)
            try conversionTrack.step()
            // as far as all of them have come
            let reached = conversionTracks.compactMap(\.due).min()
            job.report(
                reached.map { .nanoseconds(max(0, $0)) } ?? plan.range.duration,
                of: plan.range.duration,
                frames: conversionTracks.filter(\.isVideo).reduce(0) { $0 + $1.count },
                bytes: writer.status.bytesWritten)
        }
        try writer.endSession(atSourceTime: plan.encodedEnd)
    }

    private func count(_ conversionTracks: [ConversionTrack], in written: inout Written) {
        for conversionTrack in conversionTracks {
            if conversionTrack.isVideo { written.draft.frames += conversionTrack.count }
            written.damage = written.damage + conversionTrack.damage
        }
        if let note = written.damage.sentence(of: conversion.asset.path) {
            written.notes.append(note)
        }
    }
}

extension ConversionPlan {
    /// When the longest encoded track ends: its last picture lasts until then.
    fileprivate var encodedEnd: MediaTime {
        written.filter { $0.treatment != .copy }.map(\.range.end).max() ?? range.duration
    }
}
