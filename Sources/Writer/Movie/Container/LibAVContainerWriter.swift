package import LibAV
package import Media

/// Writes Matroska, WebM, MPEG-TS and files of audio only through libavformat into a durable file.
/// Thread-bound: the writing thread.
///
/// A cluster ends with each fragment interval and its bytes go to the file at once, so that the file is
/// playable while it grows; `finish` adds what players need to seek. Pauses and markers stand in
/// Matroska and WebM as tags between the clusters (`MatroskaAnnotations`), so that a crash keeps
/// them; markers become chapters at `finish`. In MPEG-TS they are ID3 tags in a track of their own
/// (`TimedTag`). Files of audio only have room for neither.
package final class LibAVContainerWriter: ContainerWriter {
    /// Room for the seek index (bytes), and for each cluster more.
    private static let reserve: Int64 = 64 << 10
    private static let reservePerCluster: Int64 = 48

    // immutable
    private let file: DurableFile
    private let output: DurableMuxerOutput
    private let muxer: Muxer
    private let container: MuxerContainer
    private let fragmentInterval: MediaTime
    /// Whether samples may wait in memory until it is known which frame is the last.
    private let statesLastLength: Bool

    // owned by the writing thread
    private var tracks: [Track] = []
    private var annotations: [MovieAnnotation] = []
    /// How many of them are in the file.
    private var insertedAnnotations = 0
    private var tail = FrameTail()
    private var clusterStart: MediaTime?
    private var clusters: Int64 = 0
    /// Of what was written in one piece, the longest (bytes): a full disk that refuses the next one finds room for it in
    /// the end.
    private var longestCluster: Int64 = 0
    private var failure: MediaError?
    private var isClosed = false

    private struct Track {
        var joiner: PCMJoiner?
        /// When the frame shown last so far begins (ticks of a millisecond of the file).
        var lastShown: Int64?
        var summary: ContainerSummary.Track
    }

    /// - Parameters:
    ///   - file: empty; closed by `finish` and `abandon`.
    ///   - statesLastLength: whether it finds out by itself which frame of each track is shown last, and says
    ///     how long, where the container has a place for that. Up to 16 MiB then wait in memory, which a
    ///     crash would cost: for what is no take. Takes say by `appendLast` which it is.
    package init(
        file: DurableFile, container: MuxerContainer, fragmentInterval: MediaTime,
        statesLastLength: Bool = false
    ) throws(MediaError) {
        self.file = file
        self.container = container
        self.statesLastLength = statesLastLength && container != .mpegTS
        self.fragmentInterval = fragmentInterval
        output = DurableMuxerOutput(file: file)
        do throws(MediaError) {
            muxer = try Muxer(container: container, output: output)
        } catch {
            file.close()
            throw error
        }
        file.setReserve(Self.reserve)
    }

    package func addTrack(_ track: ContainerTrack) throws(MediaError) -> Int {
        let index = try muxer.addTrack(
            track.format, name: track.name,
            language: LanguageCode.threeLetters(track.language),
            isDefault: track.isEnabled, isForced: track.isForced,
            dolbyVision: track.dolbyVision)
        let isPCM = track.format.audio?.codec?.rawValue.hasPrefix("pcm") ?? false
        tracks.append(
            Track(
                joiner: isPCM ? PCMJoiner(rate: Int(track.timescale)) : nil,
                summary: ContainerSummary.Track(sampleCount: 0, duration: .zero, bytes: 0)))
        return index
    }

    package func begin(_ metadata: MovieMetadata) throws(MediaError) {
        try call(isWhole: false) {
            try muxer.start(
                metadata: metadata.libavEntries(in: container), covers: metadata.covers,
                timeCode: metadata.timeCode?.start.description)
        }
        // its own header has a title alone, which readers take for a programme's
        guard container == .mpegTS else { return }
        for tags in AnnotatedTags.parts(of: metadata) { annotate(.tags(tags, at: .zero)) }
    }

    package func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        if let failure { throw failure }
        if tracks[track].joiner != nil {
            guard let joined = tracks[track].joiner?.join(sample) else { return }
            try admit(joined, track)
        } else {
            try admit(sample, track)
        }
        let time = sample.decodeTime ?? sample.presentationTime
        guard let start = clusterStart else {
            clusterStart = time
            return
        }
        if time.nanoseconds() - start.nanoseconds() >= fragmentInterval.nanoseconds() {
            try flush()
            clusterStart = time
        }
    }

    /// Matroska and WebM are given how long a frame shows that is shown last.
    package func appendLast(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        // what the tail holds may be shown later
        let shown = tracks[track].lastShown ?? .min
        guard container.holdsChapters, !statesLastLength, sample.format.mediaType == .video,
            milliseconds(sample.presentationTime) > shown
        else { return try append(sample, track: track) }
        if let failure { throw failure }
        clusters += 1
        try writeLast(sample, track)
    }

    package func annotate(_ annotation: MovieAnnotation) { annotations.append(annotation) }

    package func flush() throws(MediaError) {
        clusters += 1
        // each marker is a tag now and a chapter in the end
        let notes = annotations.reduce(into: Int64(0)) { total, annotation in
            switch annotation {
            case .marker(let text, _): total += Int64(text.utf8.count) + 128
            case .tags(let tags, _): total += Int64(AnnotatedTags.text(tags).utf8.count) + 128
            case .pause: break
            }
        }
        file.setReserve(
            Self.reserve + clusters * Self.reservePerCluster + notes + longestCluster)
        try call { try muxer.flush() }
        try insertAnnotations()
    }

    /// Writes the tags of MPEG-TS that are due: they stand where they belong in time.
    private func insertTags(until end: MediaTime?) throws(MediaError) {
        annotations[insertedAnnotations...].sort { $0.time < $1.time }
        let due = annotations[insertedAnnotations...].prefix { note in
            end.map { note.time <= $0 } ?? true
        }
        for note in due {
            try call { try muxer.write(tag: TimedTag.bytes(of: note), at: note.time) }
        }
        insertedAnnotations += due.count
    }

    /// Writes those that are not in the file yet, where the container has a place for them.
    private func insertAnnotations(isLast: Bool = false) throws(MediaError) {
        if container == .mpegTS { return try insertTags(until: isLast ? nil : clusterStart) }
        let waiting = Array(annotations[insertedAnnotations...])
        guard !waiting.isEmpty else { return }
        insertedAnnotations = annotations.count
        guard container.holdsChapters else { return }
        let element = MatroskaAnnotations.element(waiting, leadIn: muxer.leadIn)
        try call { try muxer.insert(element) }
    }

    package func update(format: FormatDescription, ofTrack track: Int) throws(MediaError) {
        guard case .audio(let audio) = format, audio.codec == .flac else { return }
        try call(isWhole: false) {
            try muxer.update(configuration: audio.codecConfiguration, track: track)
        }
    }

    package func finish() throws(MediaError) -> ContainerSummary {
        defer { close() }
        output.finish()
        try call { try output.appendRefused() }
        for track in tracks.indices {
            if let rest = tracks[track].joiner?.finish() { try admit(rest, track) }
        }
        for entry in tail.finish() {
            if entry.isLast {
                try writeLast(entry.sample, entry.track)
            } else {
                try write(entry.sample, entry.track)
            }
        }
        let duration = tracks.map(\.summary.duration).max() ?? .zero
        try insertAnnotations(isLast: true)
        let chapters = MovieAnnotation.chapters(of: annotations, until: duration)
            .map { MuxerChapter(range: $0.range, title: $0.title) }
        try call(isWhole: false) { try muxer.finish(chapters: chapters) }
        try file.synchronize()
        return ContainerSummary(
            tracks: tracks.map(\.summary), duration: duration, fileBytes: file.size)
    }

    package func abandon() { close() }

    package var holdsSamples: Bool { clusters > 0 && failure == nil }

    private func close() {
        if !isClosed { file.close() }
        isClosed = true
    }

    private func admit(_ sample: SampleBuffer, _ track: Int) throws(MediaError) {
        guard statesLastLength else { return try write(sample, track) }
        for entry in tail.push(sample, track: track) { try write(entry.sample, entry.track) }
    }

    /// Writes the frame of a track that is shown last, with its length. The muxer makes a cluster of it and counts the
    /// length; what goes into the file is that cluster with the length in it, so that the muxer's
    /// places stay right.
    private func writeLast(_ sample: SampleBuffer, _ track: Int) throws(MediaError) {
        guard let length = sample.duration, length > .zero, track < 0x7F else {
            return try write(sample, track)
        }
        try call { try muxer.flush() }
        output.beginKeeping()
        let before = tracks[track].lastShown
        var failure: MediaError?
        do throws(MediaError) {
            try write(sample, track)
            try call { try muxer.flush() }
        } catch { failure = error }
        let old = output.endKeeping()
        let start = milliseconds(sample.presentationTime)
        let lasting = MatroskaBlock.lasting(
            milliseconds(sample.presentationTime, length) - start,
            reference: sample.isSync ? nil : min(-1, (before ?? start) - start),
            track: UInt8(track + 1), in: old)
        let bytes = lasting ?? old
        try call {
            try output.append(Array(bytes.prefix(old.count)))
            if bytes.count > old.count { try muxer.insert(Array(bytes.dropFirst(old.count))) }
        }
        if let failure { throw failure }
    }

    /// The sum of two times in ticks of the file.
    private func milliseconds(_ time: MediaTime, _ more: MediaTime = .zero) -> Int64 {
        let exact = [time, more, muxer.leadIn].reduce(Int64(0)) { $0 + $1.nanoseconds() }
        return MediaTime.nanoseconds(exact).ticks(per: 1000, rounding: .nearest)
    }

    private func write(_ sample: SampleBuffer, _ track: Int) throws(MediaError) {
        try call { try muxer.write(sample, track: track) }
        let shown = milliseconds(sample.presentationTime)
        tracks[track].lastShown = max(tracks[track].lastShown ?? shown, shown)
        tracks[track].summary.sampleCount += 1
        tracks[track].summary.bytes += Int64(sample.block?.count ?? 0)
        let rate = sample.presentationTime.timescale
        let length = sample.duration?.ticks(per: rate, rounding: .nearest) ?? 0
        let trim = Int64(sample.attachments.trailingTrim)
        let end = MediaTime(
            value: sample.presentationTime.value + length - trim, timescale: rate)
        tracks[track].summary.duration = max(tracks[track].summary.duration, end)
    }

    /// Runs a muxer's call; its error is the file's or libav's, and the first one stays.
    /// - Parameter isWhole: whether Matroska's and WebM's elements that it writes are in the file all or none.
    private func call(
        isWhole: Bool = true, _ body: () throws -> Void
    ) throws(MediaError) {
        do {
            if isWhole, container.holdsChapters {
                longestCluster = max(longestCluster, Int64(try output.whole(body)))
            } else {
                try body()
            }
        } catch {
            let known =
                error as? MediaError
                ?? MediaError(
                    code: .ioError, subject: file.name,
                    message: "Cannot write to \(file.name): \(error); check the disk.")
            failure = failure ?? known
            throw known
        }
    }
}

extension MovieMetadata {
    /// Of a take whose time code advanced in its pauses: those say where it jumps.
    static let (timeCodeRun, freeRun) = ("TIMECODE_RUN", "free")
    /// At how many frames a second a time code counts: containers that count in milliseconds do not say it.
    static let timeCodeRate = "TIMECODE_RATE"

    /// By the names libavformat writes as tags.
    func libavEntries(in container: MuxerContainer) -> [(name: String, value: String)] {
        var entries: [(name: String, value: String)] = []
        if let title { entries.append(("title", title)) }
        if let creationTime {
            entries.append(("creation_time", CivilTime.text(nanosecondsSinceEpoch: creationTime)))
        }
        if let software { entries.append(("SOFTWARE", software)) }
        if let encoderFingerprint { entries.append(("ENCODER_SETTINGS", encoderFingerprint)) }
        if !deviceNames.isEmpty {
            entries.append(("DEVICES", deviceNames.joined(separator: "; ")))
        }
        if let timeCode, container == .matroska || container == .webm {
            entries.append((Self.timeCodeRate, timeCode.start.rate.frameRate.description))
        }
        if timeCode?.runsInPauses ?? false { entries.append((Self.timeCodeRun, Self.freeRun)) }
        return entries + values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
